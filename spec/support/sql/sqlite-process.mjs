/** Runs the SQL of each message on an SQLite file in a separate process, and sends a message when it has finished. */
import process from 'node:process'
import SQLite from 'better-sqlite3'

const file = new SQLite(process.argv[2])
process.on('message', (text) => {
  file.exec(text)
  process.send('done')
})
process.on('disconnect', () => file.close())
