import { defineModel, edm } from '../../edm/define-model.js'

/**
 * The model of the file service: the files and directories below one directory, as one set of media link entries. The
 * key is the path relative to that directory, which is `/` itself.
 *
 * The times of directories are null although the model does not allow it, unless `fileProvider` has the option
 * `directoryTimes`.
 *
 * @example app.use('/files', odataV2(fileModel, fileProvider('./public')))
 * @spec MS-ODATA 2.2.3.7.2.1 (feed customizations), MC-CSDL 2.1
 */
export const fileModel = defineModel({
  dataServiceVersion: '2.0',
  namespace: 'FSSchema',
  entityTypes: {
    File: {
      key: ['path'],
      hasStream: true,
      properties: {
        path: edm.String({ nullable: false, maxLength: 1024, unicode: false, fixedLength: false }),
        name: edm.String({
          nullable: false,
          maxLength: 255,
          unicode: true,
          fixedLength: false,
          syndication: { target: 'SyndicationTitle', keepInContent: true },
        }),
        isDirectory: edm.Boolean({ nullable: false }),
        size: edm.Int32({ nullable: true }),
        lastAccess: edm.DateTime({ nullable: false, precision: 3 }),
        lastModified: edm.DateTime({
          nullable: false,
          precision: 3,
          syndication: { target: 'SyndicationUpdated', keepInContent: true },
        }),
      },
      navigationProperties: {
        Files: { relationship: 'Directory', fromRole: 'Parent', toRole: 'Child' },
        Parent: { relationship: 'Directory', fromRole: 'Child', toRole: 'Parent' },
      },
    },
  },
  associations: {
    Directory: {
      ends: {
        Parent: { type: 'File', multiplicity: '0..1' },
        Child: { type: 'File', multiplicity: '*' },
      },
    },
  },
  entityContainer: {
    name: 'FS',
    entitySets: { Files: { entityType: 'File' } },
    associationSets: { Directories: { association: 'Directory', ends: { Parent: 'Files', Child: 'Files' } } },
  },
})
