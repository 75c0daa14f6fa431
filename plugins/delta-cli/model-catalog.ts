import { writeFile } from 'node:fs/promises';
import type { DriverContext } from 'drivebay/plugin';
import { askProgram } from '../_shared/cli/ask-program';
import type { Changes } from '../_shared/cli/plain-environment';
import { fieldsIn, isFields, listOf, type Fields } from '../_shared/fields';

const LIMIT_MS = 10_000;
/** Without these a model has no tools of its own, and calls those of the client directly, not from a script. */
const WITHOUT_TOOLS = {
  tool_mode: null,
  apply_patch_tool_type: null,
  multi_agent_version: null,
  experimental_supported_tools: [],
  supports_search_tool: false,
};

/** In tokens. Near the end of the window the program would let the model sum up what was said, in a request that the user pays for. */
const ENDLESS = { context_window: 1e12, max_context_window: 1e12, auto_compact_token_limit: 1e12 };

/** Writes the program's own list of models without their tools, and without the sizes of their windows. False where the program has no such list. */
export async function writeCatalog(
  context: Pick<DriverContext, 'spawn'>,
  path: string,
  env: Readonly<Changes>,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<boolean> {
  for (const more of [[], ['--bundled']]) {
    const models = await readModels(context, path, { env, more, signal });
    if (models.length === 0) continue;
    const plain = models.map((model) => ({ ...model, ...WITHOUT_TOOLS, ...ENDLESS }));
    await writeFile(file, JSON.stringify({ models: plain }), { mode: 0o600 });
    return true;
  }
  return false;
}

async function readModels(
  context: Pick<DriverContext, 'spawn'>,
  path: string,
  { env, more, signal }: { env: Readonly<Changes>; more: readonly string[]; signal: AbortSignal },
): Promise<Fields[]> {
  const args = ['debug', 'models', ...more];
  signal.throwIfAborted();
  // AbortSignal.any() does not hold an AbortSignal.timeout(): Node 20 may collect it, and it would never fire.
  const asking = new AbortController();
  const stop = (): void => asking.abort();
  const timer = setTimeout(stop, LIMIT_MS);
  signal.addEventListener('abort', stop);
  try {
    const answer = askProgram(context, path, args, asking.signal, env);
    const { code, output } = await answer.catch(() => ({ code: null, output: '' }));
    signal.throwIfAborted();
    return code === 0 ? listOf(fieldsIn(output).models).filter(isFields) : [];
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
