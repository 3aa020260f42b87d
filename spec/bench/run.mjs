/** `npm run bench [-- name]`: all benchmarks, or those whose name begins so. They use the package as it was built. */
const benchmarks = ['feed', 'million-files', 'sql']

const [wanted = ''] = process.argv.slice(2)
for (const name of benchmarks.filter((one) => one.startsWith(wanted))) {
  console.log(`\n${name}`)
  await import(`./${name}.mjs`)
}
