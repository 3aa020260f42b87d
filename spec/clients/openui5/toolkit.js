/** What functions that run in the page are given: classes of OpenUI5, and its calls with callbacks as promises. */
sap.ui.define(
  [
    'sap/base/i18n/Localization',
    'sap/m/Column',
    'sap/m/ColumnListItem',
    'sap/m/ScrollContainer',
    'sap/m/Table',
    'sap/m/Text',
    'sap/m/Title',
    'sap/ui/core/Messaging',
    'sap/ui/model/Filter',
    'sap/ui/model/Sorter',
    'sap/ui/model/odata/v2/ODataModel',
    'sap/ui/model/odata/type/DateTime',
    'sap/ui/model/odata/type/DateTimeOffset',
    'sap/ui/model/odata/type/Decimal',
    'sap/ui/model/odata/type/Guid',
    'sap/ui/model/odata/type/Int64',
    'sap/ui/model/odata/type/Time',
    'sap/ui/model/analytics/ODataModelAdapter',
    'sap/ui/table/AnalyticalColumn',
    'sap/ui/table/AnalyticalTable',
    'sap/ui/table/Column',
    'sap/ui/table/Table',
    'sap/ui/table/TreeTable',
  ],
  (
    Localization,
    Column,
    ColumnListItem,
    ScrollContainer,
    Table,
    Text,
    Title,
    Messaging,
    Filter,
    Sorter,
    ODataModel,
    DateTime,
    DateTimeOffset,
    Decimal,
    Guid,
    Int64,
    Time,
    ODataModelAdapter,
    AnalyticalColumn,
    AnalyticalTable,
    GridColumn,
    GridTable,
    TreeTable,
  ) => {
    function called(run, parameters) {
      return new Promise((resolve, reject) => {
        run({
          ...parameters,
          success: (data, response) => resolve({ data, response }),
          error: (fault) =>
            reject(Object.assign(new Error(`${fault.message}: ${fault.responseText}`), { fault })),
        })
      })
    }

    const toolkit = {
      Localization,
      Column,
      ColumnListItem,
      ScrollContainer,
      Table,
      Text,
      Title,
      Messaging,
      Filter,
      Sorter,
      AnalyticalColumn,
      AnalyticalTable,
      GridColumn,
      GridTable,
      TreeTable,
      types: { DateTime, DateTimeOffset, Decimal, Guid, Int64, Time },

      /** Binds an analytical set without a table. */
      bindAnalytical(model, path, parameters, sorters = [], filters = []) {
        ODataModelAdapter.apply(model)
        return model.bindList(path, undefined, sorters, filters, parameters)
      },
      async metaOf(model) {
        const meta = model.getMetaModel()
        await meta.loaded()
        return meta
      },
      read: (model, path, parameters) => called((all) => model.read(path, all), parameters),
      create: (model, path, data, parameters) => called((all) => model.create(path, data, all), parameters),
      update: (model, path, data, parameters) => called((all) => model.update(path, data, all), parameters),
      remove: (model, path, parameters) => called((all) => model.remove(path, all), parameters),
      call: (model, path, parameters) => called((all) => model.callFunction(path, all), parameters),
      submit: (model, parameters) => called((all) => model.submitChanges(all), parameters),
      pathOf: (model, set, entity) => model.createKey(set, entity),
      /** What a call is refused with. */
      async refusal(promise) {
        const { statusCode, responseText, headers } = await promise.then(
          () => Promise.reject(new Error('It was not refused')),
          (error) => error.fault,
        )
        return { status: Number(statusCode), body: responseText, headers }
      },
      /** What has been reported to the user. */
      messages: () =>
        Messaging.getMessageModel()
          .getData()
          .map((one) => ({
            text: one.getMessage(),
            type: one.getType(),
            code: one.getCode(),
            target: one.getTargets()[0] ?? '',
            status: Number(one.getTechnicalDetails()?.statusCode),
          })),
      /** Waits until something is true, which it looks at after each frame. */
      async until(condition, what) {
        const end = Date.now() + 10_000
        while (!condition()) {
          if (Date.now() > end) throw new Error(`Waited for nothing: ${what}`)
          await new Promise((resolve) => requestAnimationFrame(resolve))
        }
      },
    }

    /** Each use has its own, which at the end destroys what it has opened and shown. */
    window.ui5 = () => {
      const models = []
      const controls = []
      return {
        ...toolkit,
        async open(root, settings = {}) {
          const model = new ODataModel(root, settings)
          models.push(model)
          Messaging.registerMessageProcessor(model)
          await model.metadataLoaded(true)
          return model
        },
        show(control) {
          controls.push(control)
          control.placeAt('content')
          return control
        },
        tidy() {
          for (const control of controls) control.destroy()
          for (const model of models) {
            Messaging.unregisterMessageProcessor(model)
            model.destroy()
          }
          Messaging.removeAllMessages()
        },
      }
    }
  },
)
