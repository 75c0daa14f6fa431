/** A request that failed, in words for the user. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** The status; 0 where the daemon could not be reached. */
    readonly status: number,
    readonly hint?: string,
  ) {
    super(message);
  }
}

interface ErrorBody {
  error?: { message?: string; hint?: string };
}

/** What the daemon says at a path below `/dashboard/api/`. The page and the daemon are of one build: its word is taken. */
export async function getJson<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await send(path, { ...(signal && { signal }) });
  return (await response.json()) as Answer;
}

export async function postJson(path: string): Promise<void> {
  await send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
}

/** Whether the daemon is there, and lets this page in. */
export async function checkAccess(): Promise<void> {
  await send('state', { method: 'HEAD' });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`api/${path}`, { ...init, credentials: 'same-origin' }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError('The daemon does not answer.', 0);
  });
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  throw new ApiError(
    body.error?.message ?? `The daemon answered ${response.status}.`,
    response.status,
    body.error?.hint,
  );
}
