import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The name of our tool server in the program. No server of a user should have it. */
export const TOOL_SERVER = 'drivebay';

/** Settings of Gemini CLI that leave a run without tools, tool servers, hooks, skills, agents and instructions from files. */
const TALK_ONLY = {
  tools: { core: ['none'] },
  mcp: { allowed: ['none'] },
  hooksConfig: { enabled: false },
  skills: { enabled: false },
  experimental: { enableAgents: false },
  context: { fileName: ['NONE.md'], includeDirectoryTree: false },
  model: {
    // The detection takes a list of equal lines for a model that is stuck.
    disableLoopDetection: true,
    // As a share of the model's window. Above it the program lets the model sum up what was said, at the user's cost.
    compressionThreshold: 1_000,
  },
};

/** What gateway calls may do. Sessions of a program that is kept may have tools of clients, by a server of ours. */
const KINDS = {
  tools: {},
  chat: TALK_ONLY,
  warm: { ...TALK_ONLY, tools: { core: ['none', 'mcp_*'] }, mcp: { allowed: [TOOL_SERVER] } },
};

/** A second attempt would repeat the first part of an answer, or take minutes. */
const QUICK = {
  general: {
    maxAttempts: 1,
    retryFetchErrors: false,
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    // Each run leaves a file with the conversation in the CLI's own folder.
    sessionRetention: { enabled: true, maxAge: '1d' },
  },
};

/** Some versions of Qwen Code ask the model after each answer what the user may say next, and pay for it. */
const NO_FURTHER_REQUEST = { ui: { enableFollowupSuggestions: false } };
const NO_FURTHER_MARK = /"enableFollowupSuggestions"\s*:\s*false/;

/** Near the end of what they take for the model's window, they let it sum up what was said. */
const ENDLESS = { ...NO_FURTHER_REQUEST, model: { generationConfig: { contextWindowSize: 1_000_000_000 } } };
const ENDLESS_MARK = /"contextWindowSize"\s*:\s*1000000000/;

/**
 * Makes the folder in which gateway calls of one kind run, and returns its path. `paysByKey`: without it, a login in the user's
 * settings would win over the key that the provider names.
 */
export async function prepareFolder(scratch: string, kind: keyof typeof KINDS, paysByKey: boolean): Promise<string> {
  const folder = join(scratch, kind);
  const security = paysByKey ? { security: { auth: { selectedType: 'gemini-api-key' } } } : {};
  const settings = { ...QUICK, ...KINDS[kind], ...security };
  await writeIfNew(join(folder, '.gemini', 'settings.json'), JSON.stringify(settings, null, 2));
  // The program adds the version of its settings to the file.
  const [own, mark] = kind === 'tools' ? [NO_FURTHER_REQUEST, NO_FURTHER_MARK] : [ENDLESS, ENDLESS_MARK];
  await writeIfNew(join(folder, '.qwen', 'settings.json'), JSON.stringify(own), mark);
  // A prompt that mentions `@.gemini/settings.json` means those words, not the file.
  if (kind !== 'tools') await writeIfNew(join(folder, '.geminiignore'), '*\n');
  return folder;
}

/** The system prompt goes in a file, because every user of the machine can read arguments. An empty file means none. */
export async function writeSystemPrompt(scratch: string, text: string): Promise<{ folder: string; file: string }> {
  const folder = await mkdtemp(join(scratch, 'run-'));
  const file = join(folder, 'system.md');
  await writeFile(file, text, { mode: 0o600 });
  return { folder, file };
}

/** A run may read the file meanwhile: it sees the old one or the new one. `mark`: what a good one has, whatever else it says. */
async function writeIfNew(file: string, text: string, mark?: RegExp): Promise<void> {
  const old = await readFile(file, 'utf8').catch(() => undefined);
  if (old === text || (old !== undefined && mark?.test(old))) return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}
