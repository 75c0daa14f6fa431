import type { Command } from 'commander';
import { addCommand, addGroup, NO_PROJECT, parseName } from '../command-options';
import { addSpawnOptions } from './spawn-options';

export function addAgentCommands(program: Command): void {
  const about = 'run an agent on an intent; the word `run` is optional: drivebay "<intent>"';
  const run = addCommand(program, 'run <intent...>', about, async () => (await import('./run')).run);
  addSpawnOptions(run, '--reasoning-effort <level>').option('--no-stdin', 'do not add the text on stdin to the intent');

  const chat = 'talk to a model, without tools and without the files of this folder';
  addCommand(program, 'chat', chat, async () => (await import('../chat/chat')).chat)
    .option('--provider <name>', 'the provider')
    .option('--model <model>', 'the model of that provider', parseName('--model'))
    .option('--system <text>', 'the system prompt')
    .option('--no-project', NO_PROJECT);

  const shell = 'type commands about agents at a prompt, or read them from a pipe';
  addCommand(program, 'shell', shell, async () => (await import('../shell/shell')).shell);

  const compose = addGroup(program, 'compose', 'let agents work together');
  const load = () => import('../compose/compose');
  const up = 'run the agents of a compose file, and print their answers';
  addCommand(compose, 'up [file]', up, async () => (await load()).composeUp)
    .option('--json', 'print one JSON object at the end instead of the answers')
    .option('--detach', 'print the name of the run, and leave it in the background')
    .option('--no-project', NO_PROJECT);
  const ps = 'list the agents of the running compose runs';
  addCommand(compose, 'ps [file]', ps, async () => (await load()).composePs).option('--json', 'print JSON');
  addCommand(compose, 'down [file]', 'end a compose run and its agents', async () => (await load()).composeDown);
}
