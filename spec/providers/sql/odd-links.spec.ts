import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { describeDatabases, SqlServer } from '../../support/sql/databases.js'

const model = defineModel({
  namespace: 'School',
  entityTypes: {
    Student: {
      key: ['StudentId'],
      properties: { StudentId: edm.Int32({ nullable: false }), TutorId: edm.Int32() },
      navigationProperties: {
        Team: { relationship: 'Membership', fromRole: 'Student', toRole: 'Team' },
      },
    },
    Team: {
      key: ['TeamId'],
      properties: { TeamId: edm.Int32({ nullable: false }) },
      navigationProperties: {
        Students: { relationship: 'Membership', fromRole: 'Team', toRole: 'Student' },
      },
    },
  },
  associations: {
    Membership: {
      ends: {
        Student: { type: 'Student', multiplicity: '*' },
        Team: { type: 'Team', multiplicity: '0..1' },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Students: { entityType: 'Student' },
      OldStudents: { entityType: 'Student' },
      Teams: { entityType: 'Team' },
    },
    associationSets: {
      Membership: { association: 'Membership', ends: { Student: 'Students', Team: 'Teams' } },
    },
  },
})

const tutors = 'references tutors(id) deferrable initially deferred'
const tables = [
  'create table tutors (id integer primary key)',
  `create table students (student_id integer primary key, tutor_id integer ${tutors})`,
  'create table old_students (student_id integer primary key, tutor_id integer)',
  'create table teams (team_id integer primary key)',
  `create table membership (student_id integer references students(student_id),
    team_id integer references teams(team_id), primary key (student_id, team_id))`,
  'insert into students values (1, null), (2, null)',
  'insert into old_students values (1, null)',
  'insert into teams values (7), (8)',
]

describeDatabases(({ open, kind }) => {
  describe('Tables of an existing database', () => {
    let service: SqlServer

    beforeAll(async () => {
      const foreignKeys = kind === 'sqlite' ? ['pragma foreign_keys = on'] : []
      service = await SqlServer.start(model, await open([...foreignKeys, ...tables]))
    })

    afterAll(() => service.stop())

    it('MUST be linked where the columns of links are called as those of the keys', async () => {
      const link = (team: number): Promise<{ readonly status: number }> =>
        service.send('PUT', 'Students(1)/$links/Team', { uri: `Teams(${team})` })
      expect((await link(7)).status).toBe(204)
      expect((await link(8)).status).toBe(204)
      expect((await service.send('GET', 'Students(1)/Team')).json).toMatchObject({ TeamId: 8 })
      const other = await service.send('POST', 'Teams(7)/$links/Students', { uri: 'Students(1)' })
      expect(other.status).toBe(204)
      expect((await service.send('GET', 'Students(1)/Team')).json).toMatchObject({ TeamId: 7 })
      expect((await service.send('GET', 'Teams(8)/Students')).json.results).toEqual([])
    })

    it('MUST respond with 501 to changes of links that no association set defines', async () => {
      const link = { uri: 'Teams(7)' }
      expect(await service.refusal('PUT', 'OldStudents(1)/$links/Team', link)).toEqual([
        501,
        "The links of 'Team' cannot be changed.",
      ])
    })

    it('MUST respond with 409 to changes that the database rejects only at commit, and serve later requests', async () => {
      expect(await service.refusal('POST', 'Students', { StudentId: 3, TutorId: 99 })).toEqual([
        409,
        'A related entity does not exist, or other entities refer to this one.',
      ])
      expect((await service.refusal('MERGE', 'Students(2)', { TutorId: 99 }))[0]).toBe(409)
      expect((await service.send('POST', 'Students', { StudentId: 3 })).status).toBe(201)
      expect((await service.send('GET', 'Students(2)')).json).toMatchObject({ TutorId: null })
    })
  })
})
