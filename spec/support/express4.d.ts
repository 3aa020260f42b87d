/** The types of version 5 describe as much of version 4 as specs use. */
declare module 'express4' {
  export { default } from 'express'
}
