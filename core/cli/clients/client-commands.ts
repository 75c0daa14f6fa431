import type { Command } from 'commander';
import { addCommand, addGroup, collect, parseName } from '../command-options';

export function addClientCommands(program: Command): void {
  const clients = addGroup(program, 'clients', 'manage the clients that may use the gateway, each with its own key');
  const list = 'list the clients: their keys, what they may ask for, what they have spent; the default';
  addCommand(clients, 'list', list, async () => (await import('./clients-list')).clientsList, {
    isDefault: true,
  }).option('--json', 'print JSON');
  const edit = () => import('./clients-edit');
  const make = 'add a client to your own file, and print its key, which is kept nowhere';
  addCommand(clients, 'new <name>', make, async () => (await edit()).clientsNew).option(
    '--allow <what>',
    'a provider, a route or PROVIDER:MODEL that it may ask for (repeatable); default: everything',
    collect(parseName('--allow')),
  );
  const rotate = 'give a client another key, print it, and forget the old one';
  addCommand(clients, 'rotate <client-name>', rotate, async () => (await edit()).clientsRotate);
  const remove = 'remove a client from your own file';
  addCommand(clients, 'remove <client-name>', remove, async () => (await edit()).clientsRemove);
}
