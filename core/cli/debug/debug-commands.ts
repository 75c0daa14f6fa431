import type { Command } from 'commander';
import { addCommand, addGroup, choiceOption, NO_PROJECT, parseCount, parseName } from '../command-options';

const WITH_CONTENT = 'include prompt, answer and failure messages; keys stay redacted';
const DEFAULT_LAST = 20;

export function addDebugCommands(program: Command): void {
  const debug = addGroup(program, 'debug', 'show the last requests of the gateways, stage by stage');
  const list = 'list the last requests; the daemon keeps 200, in memory';
  const last = (text: string) => (text === '' ? DEFAULT_LAST : parseCount(text));
  addCommand(debug, 'list', list, async () => (await import('./debug-list')).debugList, { isDefault: true })
    .option('--last <number>', 'how many', last, DEFAULT_LAST)
    .option('--json', 'print JSON');
  const show = 'show one request, by its x-request-id: stages, attempts, cost';
  addCommand(debug, 'show <id>', show, async () => (await import('./debug-show')).debugShow)
    .option('--with-content', WITH_CONTENT)
    .option('--json', 'print JSON');
  const replay = 'send a request again, to the same or another provider, and compare the answers';
  addCommand(debug, 'replay <id>', replay, async () => (await import('./debug-replay')).debugReplay)
    .option('--provider <name>', 'provider or route to ask; default: that of the request')
    .option('--model <name>', 'model to ask for; default: that of the provider', parseName('--model'))
    .option('--with-content', 'also print both answers, and the messages of failures')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT);
  const exported = 'print a request and its answer, for a bug report or for tests of a driver';
  addCommand(debug, 'export <id>', exported, async () => (await import('./debug-export')).debugExport)
    .addOption(choiceOption('--as <form>', 'the format', ['fixture', 'json'], 'json'))
    .option('--with-content', WITH_CONTENT);
}
