/** `npm run test:all`: every store, and whole processes that are killed. `npm test` leaves those out. */
export const isFullRun = process.env['AFTERMEET_TEST'] === 'all';
