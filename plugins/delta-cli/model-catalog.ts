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

/** Writes the program's own list of models without their tools. False where the program has no such list. */
export async function writeCatalog(
  context: Pick<DriverContext, 'spawn'>,
  path: string,
  env: Readonly<Changes>,
  file: string,
): Promise<boolean> {
  for (const more of [[], ['--bundled']]) {
    const models = await readModels(context, path, env, more);
    if (models.length === 0) continue;
    const plain = models.map((model) => ({ ...model, ...WITHOUT_TOOLS }));
    await writeFile(file, JSON.stringify({ models: plain }), { mode: 0o600 });
    return true;
  }
  return false;
}

async function readModels(
  context: Pick<DriverContext, 'spawn'>,
  path: string,
  env: Readonly<Changes>,
  more: readonly string[],
): Promise<Fields[]> {
  const args = ['debug', 'models', ...more];
  const answer = askProgram(context, path, args, AbortSignal.timeout(LIMIT_MS), env);
  const { code, output } = await answer.catch(() => ({ code: null, output: '' }));
  if (code !== 0) return [];
  const { models } = fieldsIn(output);
  return listOf(models).filter(isFields);
}
