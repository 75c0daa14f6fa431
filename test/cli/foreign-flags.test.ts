import { FOREIGN } from '../../core/cli/foreign-flags';
import { buildProgram } from '../../core/cli/program';

test.each(Object.entries(FOREIGN))('%s has the flags that are advised, and none of the foreign ones', (words, list) => {
  const command = words
    .split(' ')
    .reduce((group, word) => group.commands.find((each) => each.name() === word)!, buildProgram());
  const own = command.options.flatMap(({ short, long }) => [short, long]);
  for (const [flags, advice] of list) {
    for (const flag of flags.split(' ')) expect(own).not.toContain(flag);
    for (const [flag] of advice.matchAll(/(?<=did you mean )--[\w-]+/g)) expect(own).toContain(flag);
  }
});
