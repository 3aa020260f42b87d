import clients from './clients.config.js'

/** Takes the pictures of README and of the guides from the running product: `npm run docs:pictures`. */
export default { ...clients, testMatch: ['<rootDir>/spec/clients/pictures/take-pictures.ts'] }
