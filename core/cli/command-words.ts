/**
 * First words that are commands of other tools of this kind, and the commands that do it here; none where nothing does. They
 * are no intents: an agent could take `stop all` for a task.
 */
export const COMMAND_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...meaning(['run'], 'agent ask exec prompt query'),
  ...meaning(['chat'], 'conversation repl talk'),
  ...meaning(['doctor'], 'auth diagnose health info login logout ping whoami'),
  ...meaning(['init', 'config check'], 'configure onboard settings setup'),
  ...meaning(['providers status'], 'backends'),
  ...meaning(['models'], 'model'),
  ...meaning(['providers status', 'plugins list', 'ps'], 'list ls'),
  ...meaning(['plugins list'], 'drivers extensions'),
  ...meaning(['serve'], 'gateway listen proxy server'),
  ...meaning(['dashboard'], 'gui ui web'),
  ...meaning(['ps'], 'agents history jobs processes sessions tasks top'),
  ...meaning(['usage'], 'billing cost costs stats tokens'),
  ...meaning(['serve', 'daemon start'], 'start'),
  ...meaning(['daemon stop', 'kill', 'compose down'], 'stop'),
  ...meaning(['daemon restart'], 'restart'),
  ...meaning(['providers status', 'daemon status', 'service status'], 'status'),
  ...meaning(['service install'], 'install'),
  ...meaning(['--version'], 'version'),
  ...meaning(['man'], 'manual'),
  ...meaning(['run'], 'continue resume'),
  ...meaning(['providers remove'], 'rm'),
  ...meaning(['clients new', 'doctor'], 'apikey set-key'),
  ...meaning([], 'self-update selfupdate update upgrade'),
]);

/**
 * The same for words that stand alone. With further words they begin a task: `clean` alone may delete unsaved work, `clean up the
 * imports` is an intent.
 */
export const LONE_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...meaning(['clients new', 'doctor'], 'key keys'),
  ...meaning(['doctor'], 'test'),
  ...meaning(['config check'], 'cfg conf validate verify'),
  ...meaning(['completion'], 'complete'),
  ...meaning(['dashboard'], 'dash open'),
  ...meaning(['models', 'config check'], 'route routes'),
  ...meaning(['trace'], 'attach follow tail watch'),
  ...meaning(['--help'], '? /?'),
  ...meaning([], 'clean clear edit env exit purge quit reset wipe'),
]);

/** Those of them that are things: with a verb and a name behind they are a command too, as `key add x` and `keys set openai`. */
export const THINGS: ReadonlySet<string> = new Set(['key', 'keys']);

/** The same for words with exactly one more: `pull qwen` is a command of Ollama, `pull the changes of today` is an intent. */
export const PAIRED_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...meaning(['providers add', 'models'], 'download pull'),
  ...meaning(['providers add', 'init'], 'connect import'),
]);

/** Second words of such tools, and what a group here may call the same, the best first. */
export const VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ...meaning(['list', 'status', 'ps', 'check'], 'all get list ls ps show status view'),
  ...meaning(['add', 'new', 'install', 'up'], 'add create install new'),
  ...meaning(['remove', 'uninstall', 'down'], 'delete drop remove rm uninstall'),
  ...meaning(['set-default'], 'default select set switch use'),
  ...meaning(['check', 'status'], 'check test validate verify'),
  ...meaning(['start', 'up', 'serve'], 'launch run start'),
  ...meaning(['stop', 'down'], 'end kill shutdown stop'),
]);

/** What does, for a group, that which other tools have a second word for. */
export const ELSEWHERE: Readonly<Record<string, readonly { words: string; advice: string }[]>> = {
  config: [
    { words: 'create generate init new', advice: 'Did you mean init?' },
    {
      words: 'edit get list ls open path set show view',
      advice:
        'config check names the file, providers explain shows what counts for a provider, ' +
        'and providers add, remove and set-default change the file',
    },
  ],
  providers: [
    {
      words: 'check diagnose ping test validate verify',
      advice: 'about one provider: drivebay doctor <provider>; a table of all: providers status',
    },
  ],
  plugins: [
    {
      words: 'add install remove rm uninstall update upgrade',
      advice: 'plug-ins are packages, which npm installs and removes: drivebay docs writing-a-driver',
    },
  ],
};

/** What commands without further commands do, as a second word of VERBS says it: `models ls` means `models`. */
export const DOES: Readonly<Record<string, 'list' | 'check' | 'start'>> = {
  dashboard: 'start',
  devices: 'list',
  docs: 'list',
  doctor: 'check',
  launch: 'list',
  logs: 'list',
  models: 'list',
  ps: 'list',
  serve: 'start',
  usage: 'list',
};

function meaning(commands: readonly string[], words: string): [word: string, commands: readonly string[]][] {
  return words.split(' ').map((word) => [word, commands]);
}
