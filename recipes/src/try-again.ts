/** The effect was surely not sent, and a later try may do. Its message is for people and holds no content. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
}
