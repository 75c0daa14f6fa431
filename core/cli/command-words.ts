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
  ...meaning(['providers add', 'models'], 'download pull'),
  ...meaning(['providers add', 'init'], 'connect import'),
  ...meaning(['doctor'], 'test'),
  ...meaning(['config check'], 'cfg conf validate verify'),
  ...meaning(['completion'], 'complete'),
  ...meaning(['dashboard'], 'dash open'),
  ...meaning(['models', 'config check'], 'route routes'),
  ...meaning(['trace'], 'attach follow tail watch'),
  ...meaning(['--help'], '? /?'),
  ...meaning([], 'clean clear edit env exit purge quit reset wipe'),
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

function meaning(commands: readonly string[], words: string): [word: string, commands: readonly string[]][] {
  return words.split(' ').map((word) => [word, commands]);
}
