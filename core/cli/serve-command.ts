import type { Command } from 'commander';
import { choiceOption, collect, DEFAULT_PORT, NO_PROJECT, parseHost, parseOrigin, parsePort } from './options';
import { LOG_FORMATS, LOG_LEVELS } from '../log-options';

/** `serve`, and what else opens a gateway. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the OpenAI-style gateway on 127.0.0.1')
    .option('--port <number>', 'port to listen on', parsePort, DEFAULT_PORT)
    .option('--demo', 'add a provider "demo" that needs no backend')
    .option('--allow-host <name>', 'accept one more Host name (repeatable)', collect(parseHost))
    .option('--allow-origin <origin>', 'let web pages of an origin call the gateway (repeatable)', collect(parseOrigin))
    .option('--api-key-env <name>', 'demand the key in this variable as "Authorization: Bearer <key>"')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .option('--no-project', NO_PROJECT)
    .action((options: import('./serve').ServeOptions) =>
      (require('./serve') as typeof import('./serve')).serve(options),
    );
}
