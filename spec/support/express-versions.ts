import express from 'express'
import express4 from 'express4'

/** The versions of Express that services must work with. */
export const expressVersions: readonly (readonly [name: string, version: typeof express])[] = [
  ['Express 5', express],
  ['Express 4', express4],
]
