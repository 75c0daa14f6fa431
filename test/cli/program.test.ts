import { buildProgram } from '../../core/cli/program';

const namesOf = (first?: string) => buildProgram(first).commands.map((command) => command.name());

test('a command line is read with the commands of one group, and each command is in the group it names', () => {
  const all = namesOf();
  for (const name of all.filter((each) => each !== '__complete')) {
    const group = namesOf(name);
    expect(group).toContain(name);
    expect(group.length).toBeLessThan(all.length / 2);
  }
});

test('what is no command is read with all of them', () => {
  const all = namesOf();
  // `__complete` is asked about all of them.
  for (const first of ['--help', 'help', 'explain this', 'serv', '', '__complete']) expect(namesOf(first)).toEqual(all);
});
