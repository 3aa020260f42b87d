import type { FunctionHandler, ODataV2Options, Provider } from '../../../lib/index.js'
import { defineModel, edm, memoryProvider, ODataError } from '../../../lib/index.js'
import type { Mount } from '../hosts.js'

/** Covers features that the other services lack: functions called with POST, generated Guids, keys from a Slug. */
const model = defineModel({
  namespace: 'TD',
  entityTypes: {
    Task: {
      key: ['ID'],
      properties: {
        ID: edm.Guid({ nullable: false }),
        Title: edm.String({
          nullable: false,
          maxLength: 20,
          syndication: { target: 'SyndicationTitle', keepInContent: false },
        }),
        Hours: edm.Decimal({ precision: 4, scale: 1 }),
        Done: edm.Boolean({ nullable: false, defaultValue: 'false' }),
      },
    },
    Document: {
      key: ['Name'],
      hasStream: true,
      properties: {
        Name: edm.String({ nullable: false, maxLength: 12 }),
        Author: edm.String(),
      },
    },
  },
  complexTypes: { Span: { properties: { From: edm.Int32(), To: edm.Int32() } } },
  entityContainer: {
    name: 'C',
    entitySets: { Tasks: { entityType: 'Task' }, Documents: { entityType: 'Document' } },
    functionImports: {
      Reset: { httpMethod: 'POST', parameters: { hard: { type: 'Edm.Boolean' } } },
      Rename: {
        returnType: 'TD.Task',
        entitySet: 'Tasks',
        httpMethod: 'POST',
        parameters: {
          title: { type: 'Edm.String', nullable: false },
          hours: { type: 'Edm.Decimal' },
        },
      },
      Plan: {
        returnType: 'Collection(TD.Task)',
        entitySet: 'Tasks',
        httpMethod: 'POST',
        parameters: { days: { type: 'Edm.Byte', nullable: false } },
      },
      Sum: { returnType: 'Edm.Int64', httpMethod: 'POST' },
      Stretch: { returnType: 'TD.Span', httpMethod: 'POST', parameters: { by: { type: 'Edm.Int32' } } },
      Labels: { returnType: 'Collection(Edm.String)', httpMethod: 'POST' },
      Either: { returnType: 'Edm.Int32', parameters: { by: { type: 'Edm.Int32', nullable: false } } },
      Reading: { returnType: 'Edm.Int32', httpMethod: 'GET' },
      Unwritten: { httpMethod: 'POST' },
    },
  },
})

const taskOne = '00000000-0000-0000-0000-0000000000a1'
const second = '00000000-0000-0000-0000-0000000000a2'

function functions(): Record<string, FunctionHandler> {
  const rows = [
    { ID: taskOne, Title: 'Write', Hours: '1.5', Done: false },
    { ID: second, Title: 'Read', Hours: null, Done: true },
  ]
  return {
    Reset: () => undefined,
    Rename: ({ title, hours }) => ({ ...rows[0], Title: title, Hours: hours }),
    Plan: ({ days }) => rows.slice(0, Number(days)),
    Sum: () => 9007199254740993n,
    Stretch: ({ by }) => ({ From: 1, To: by === null ? null : 1 + Number(by) }),
    Labels: () => ['a', null, 'b<c'],
    Either: ({ by }) => by,
    Reading: () => 3,
    Unwritten: () => {
      throw new ODataError('NotImplemented', { message: "The function 'Unwritten' is not implemented." })
    },
  }
}

/** The service with its own copy of the data, in whatever it is mounted in. */
export function taskServiceIn(mount: Mount, options: ODataV2Options = {}): ReturnType<Mount> {
  return mount(model, taskProvider(), options)
}

function taskProvider(): Provider {
  const data = {
    Tasks: [{ ID: taskOne, Title: 'Write', Hours: '1.5', Done: false }],
    Documents: [{ Name: 'a.txt', $media: { contentType: 'text/plain', bytes: Buffer.from('first') } }],
  }
  return memoryProvider<unknown>(model, data, { functions: functions() })
}
