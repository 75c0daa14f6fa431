import { join } from 'node:path';
import { parse } from 'dotenv';
import { readSmallFile, statRegularFile } from './small-file';

interface EnvironmentOptions {
  /** Absent outside of a project: then only the process environment is read. */
  projectRoot?: string;
  processEnvironment: NodeJS.ProcessEnv;
  /** The daemon whose environment this is. Absent: it is that of the command itself. */
  daemon?: DaemonWords;
}

/** What messages say of a daemon. */
export interface DaemonWords {
  name: string;
  /** How it gets another environment. */
  restart: string;
  /** Whether commands find it. Only then they can bring it a variable. */
  isReachable: boolean;
}

interface Variable {
  value: string;
  /** The file of the variable, or `process environment`. */
  source: string;
}

const PROCESS = 'process environment';

/** A file may change twice within one tick of the file system's clock. Only a file older than this is cached. */
const SETTLED_AFTER_MS = 2000;

interface CachedFile {
  signature: string;
  variables: Record<string, string>;
  /** Why the file is skipped: the end of a sentence about it, and a line on its own. */
  fault?: { reason: string; warning: string };
}

/** The sources of keys: the project's .env files, the last one first, then the process environment. */
export class Environment {
  /** Each file overrides the files before it. */
  private readonly files: string[] = [];
  /** The process environment alone, for started programs: they do not get the variables of the project's files. */
  readonly process: NodeJS.ProcessEnv;
  /** The file for keys that are not shared with the project. Absent outside of a project. */
  readonly localFile: string | undefined;
  private readonly cache = new Map<string, CachedFile>();
  /** Variables of `process` that a terminal has brought. */
  private readonly brought = new Set<string>();
  private readonly stageWarning: string | undefined;

  readonly daemon: DaemonWords | undefined;

  constructor({ projectRoot, processEnvironment, daemon }: EnvironmentOptions) {
    this.process = processEnvironment;
    this.daemon = daemon;
    this.localFile = projectRoot === undefined ? undefined : join(projectRoot, '.env.local');
    if (projectRoot === undefined) return;
    const stage = processEnvironment.DRIVEBAY_ENV || 'development';
    const names = ['.env', '.env.local'];
    // Other characters could lead out of the project folder.
    if (/^[A-Za-z0-9._-]+$/.test(stage)) names.push(`.env.${stage}`, `.env.${stage}.local`);
    else this.stageWarning = 'DRIVEBAY_ENV may hold letters, digits, ".", "_" and "-" only; it is ignored';
    this.files = [...new Set(names)].map((name) => join(projectRoot, name));
  }

  /** Looks up a variable in the current files. An empty value counts as not set. */
  get(name: string): Variable | undefined {
    for (const file of this.files.toReversed()) {
      const value = ownValue(this.readFile(file).variables, name);
      if (value) return { value, source: file };
    }
    const value = ownValue(this.process, name);
    return value ? { value, source: PROCESS } : undefined;
  }

  /** The same, but a file of the project, which may be a cloned one, does not replace what the process environment has. */
  getGuarded(name: string): Variable | undefined {
    const value = ownValue(this.process, name);
    return value ? { value, source: PROCESS } : this.get(name);
  }

  /** Where the variables of the project may be. The files need not exist. */
  get places(): readonly string[] {
    return this.files;
  }

  isFromFile(name: string): boolean {
    return (this.get(name)?.source ?? PROCESS) !== PROCESS;
  }

  /** The places where `get` looks, in its order, with the program whose environment counts. */
  searched(): string[] {
    const files = this.files.toReversed().map((file) => {
      const { fault } = this.readFile(file);
      return fault === undefined ? file : `${file}, which is skipped because it ${fault.reason}`;
    });
    return [...files, `the environment of ${this.daemon?.name ?? 'this command'}`];
  }

  /**
   * What the user can do about a variable that is not set. `inFiles`: whether the files count for it, as for `get`.
   * `isBrought`: whether a terminal brings it to a daemon.
   */
  howToSet(name: string, { inFiles = true, isBrought = true } = {}): string {
    const { daemon } = this;
    const brought = 'the next drivebay command in that terminal takes it along';
    const next = daemon ? `; ${isBrought && daemon.isReachable ? brought : daemon.restart}` : ' and the command again';
    const file = this.localFile === undefined || !inFiles ? '' : `, or add it to ${this.localFile}`;
    return `run: export ${name}=...${next}${file}`;
  }

  /**
   * Keeps values that a terminal has, in memory only. They stand in for what this environment lacks and replace what an
   * earlier terminal brought, but nothing that this environment has itself: that may be in use.
   */
  bring(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) {
      if (ownValue(this.process, name) !== undefined && !this.brought.has(name)) continue;
      this.process[name] = value;
      this.brought.add(name);
    }
  }

  /** Whether this environment itself has the variable, and no file or terminal: it is gone when the program ends. */
  isOwn(name: string): boolean {
    return this.get(name)?.source === PROCESS && !this.brought.has(name);
  }

  /** The reasons why files are skipped. */
  warnings(): string[] {
    const perFile = this.files.map((file) => this.readFile(file).fault?.warning);
    return [this.stageWarning, ...perFile].filter((warning) => warning !== undefined);
  }

  private readFile(file: string): CachedFile {
    const found = statRegularFile(file);
    if (found.state !== 'ok') return found.state === 'absent' ? NOTHING : skip(file, found.reason);
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = found.value;
    const signature = [dev, ino, size, mtimeNs, ctimeNs].join(':');
    const cached = this.cache.get(file);
    if (cached?.signature === signature) return cached;
    const content = readSmallFile(file);
    if (content.state !== 'ok') return content.state === 'absent' ? NOTHING : skip(file, content.reason);
    // Editors and shells of Windows write UTF-16. Read as UTF-8, no name in it is the one that a provider asks for.
    if (content.value.includes(0)) return skip(file, 'is not saved as UTF-8');
    const fresh: CachedFile = { signature, variables: parse(content.value) };
    const latest = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
    if (Date.now() - latest > SETTLED_AFTER_MS) this.cache.set(file, fresh);
    return fresh;
  }
}

const NOTHING: CachedFile = { signature: '', variables: {} };

function skip(file: string, reason: string): CachedFile {
  return { ...NOTHING, fault: { reason, warning: `${file} ${reason}; it is skipped` } };
}

/** The variables of a file of `NAME=value` lines. Empty when the file cannot be read. */
export function readVariables(file: string): Record<string, string> {
  const content = readSmallFile(file);
  return content.state === 'ok' ? parse(content.value) : {};
}

function ownValue(variables: Record<string, string | undefined>, name: string): string | undefined {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return value?.trim() ? value : undefined;
}
