import type { Problem } from '../errors';

export interface HttpErrorExtras {
  hint?: string;
  /** The field of the request that is wrong. */
  param?: string;
  /** The mistakes of a configuration that keep the request from being served. */
  problems?: Problem[];
  /** Headers of the answer, such as `allow` and `retry-after`. */
  headers?: Record<string, string>;
}

/** A failed request, in the terms of HTTP. Each surface spells it in its own form, as JSON or as a page. */
export class HttpError extends Error {
  readonly hint: string | undefined;
  readonly param: string | undefined;
  readonly problems: Problem[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    readonly status: number,
    /** The machine word for the failure: part of each surface's documented interface. */
    readonly code: string,
    message: string,
    { hint, param, problems, headers = {} }: HttpErrorExtras = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.hint = hint;
    this.param = param;
    this.problems = problems;
    this.headers = headers;
  }
}
