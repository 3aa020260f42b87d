/** Prints how many milliseconds it takes a new process to load Express, and then the package, with `require`. */
const start = performance.now()
require('express')
const between = performance.now()
require('express-odata-v2')
console.log(JSON.stringify({ express: between - start, ours: performance.now() - between }))
