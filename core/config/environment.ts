import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { readSmallFile, statRegularFile } from './small-file';

export interface EnvironmentOptions {
  /** Absent where there is no project: then only the process environment is read. */
  projectRoot?: string;
  processEnvironment: NodeJS.ProcessEnv;
}

export interface Variable {
  value: string;
  /** The file that the value is from, or `process environment`. */
  source: string;
}

const PROCESS = 'process environment';

/** A file changed this shortly before it was read may change again within the same tick of the file system's clock. */
const SETTLED_AFTER_MS = 2000;

interface CachedFile {
  signature: string;
  variables: Record<string, string>;
  warning?: string;
}

/** Where keys come from: the project's .env files, the later one first, then the process environment. */
export class Environment {
  /** In the order in which they override each other. */
  private readonly files: string[] = [];
  /** The process environment alone, for programs that are started: a project's files are not meant for them. */
  readonly process: NodeJS.ProcessEnv;
  private readonly cache = new Map<string, CachedFile>();
  private readonly stageWarning: string | undefined;

  constructor({ projectRoot, processEnvironment }: EnvironmentOptions) {
    this.process = processEnvironment;
    if (projectRoot === undefined) return;
    const stage = processEnvironment.DRIVEBAY_ENV || 'development';
    const names = ['.env', '.env.local'];
    // Anything else could lead out of the project folder.
    if (/^[A-Za-z0-9._-]+$/.test(stage)) names.push(`.env.${stage}`, `.env.${stage}.local`);
    else this.stageWarning = 'DRIVEBAY_ENV may hold letters, digits, ".", "_" and "-" only; it is ignored';
    this.files = [...new Set(names)].map((name) => join(projectRoot, name));
  }

  /** Looks a variable up in the files as they are now. An empty value counts as not set. */
  get(name: string): Variable | undefined {
    for (const file of this.files.toReversed()) {
      const value = ownValue(this.readFile(file).variables, name);
      if (value) return { value, source: file };
    }
    const value = ownValue(this.process, name);
    return value ? { value, source: PROCESS } : undefined;
  }

  /** Whether a variable comes from a file of the project, whatever the process environment says. */
  isFromFile(name: string): boolean {
    const found = this.get(name);
    return found !== undefined && found.source !== PROCESS;
  }

  /** Every place that `get` looks at, the first one first. */
  searched(): string[] {
    return [...this.files.toReversed(), PROCESS];
  }

  /** What keeps a file from being read now. */
  warnings(): string[] {
    const perFile = this.files.map((file) => this.readFile(file).warning);
    return [this.stageWarning, ...perFile].filter((warning) => warning !== undefined);
  }

  private readFile(file: string): CachedFile {
    const found = statRegularFile(file);
    if (found.state !== 'ok') return found.state === 'absent' ? NOTHING : skip(file, found.reason);
    const signature = signatureOf(found.value);
    const cached = this.cache.get(file);
    if (cached?.signature === signature) return cached;
    const content = readSmallFile(file);
    if (content.state !== 'ok') return content.state === 'absent' ? NOTHING : skip(file, content.reason);
    const fresh: CachedFile = { signature, variables: parse(content.value) };
    if (isSettled(found.value)) this.cache.set(file, fresh);
    return fresh;
  }
}

const NOTHING: CachedFile = { signature: '', variables: {} };

function skip(file: string, reason: string): CachedFile {
  return { ...NOTHING, warning: `${file} ${reason}; it is skipped` };
}

function signatureOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

function isSettled({ mtimeMs, ctimeMs }: BigIntStats): boolean {
  const latest = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  return Date.now() - latest > SETTLED_AFTER_MS;
}

function ownValue(variables: Record<string, string | undefined>, name: string): string | undefined {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return value?.trim() ? value : undefined;
}
