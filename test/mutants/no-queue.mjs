/** All that the receiver takes from the queue package when the inbox is given to it. */
export class StoreUnavailable extends Error {
  name = 'StoreUnavailable';
}
