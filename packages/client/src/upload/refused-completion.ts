import { ServiceError } from '../service-error.ts';

/** The service has every chunk and refuses to complete the upload: sending them again by itself would not help. */
export class RefusedCompletion extends ServiceError {
  constructor({ code, doing, status, detail, retryAfterMs, cause }: ServiceError) {
    const words = detail === undefined ? '' : `${detail} `;
    super({
      code,
      doing,
      detail: `${words}(the next run only asks again for the completion, force sends everything anew)`,
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(cause === undefined ? {} : { cause }),
    });
  }
}
