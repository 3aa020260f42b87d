/** Prints how many milliseconds it takes a new process to load Express, and then the package, with `import`. */
const start = performance.now()
await import('express')
const between = performance.now()
await import('express-odata-v2')
console.log(JSON.stringify({ express: between - start, ours: performance.now() - between }))
