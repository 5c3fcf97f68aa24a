// `@aftermeet/contract/openapi`: the table in words, for documents. Apart from the rest, because no process that only
// does its work needs it, and loading it takes its time.
export { listAnswers } from './answers.ts';
export { describeFields, type FieldDescription } from './describe-fields.ts';
export { describeOpenApi } from './describe-openapi.ts';
