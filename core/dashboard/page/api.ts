import type { DashboardFailure } from '../protocol';

export class ApiError extends Error {
  constructor(
    message: string,
    /** The HTTP status, or 0 when the daemon does not answer. */
    readonly status: number,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Gets an answer below `/dashboard/api/`. Page and daemon have the same build, so the answer needs no validation. */
export async function getJson<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await send(path, { signal });
  return (await response.json()) as Answer;
}

export async function postJson(path: string): Promise<void> {
  await post(path, {});
}

/** Resolves when the daemon begins to answer, with the lines of the answer as they come. */
export async function getLines<Line>(path: string, signal: AbortSignal) {
  return linesOf<Line>(await send(path, { signal }));
}

export async function postLines<Line>(path: string, body: unknown, signal: AbortSignal) {
  return linesOf<Line>(await post(path, body, signal));
}

async function* linesOf<Line>({ body }: Response): AsyncGenerator<Line[], void> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n');
    rest = lines.pop()!;
    yield lines.map((line) => JSON.parse(line) as Line);
  }
}

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return send(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`api/${path}`, { ...init, credentials: 'same-origin' }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError('The daemon does not answer.', 0);
  });
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as Partial<DashboardFailure>;
  throw new ApiError(error?.message ?? `The daemon answered ${response.status}.`, response.status, error?.hint);
}
