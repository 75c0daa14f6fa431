import { commandSections } from './command-sections';
import { testGeneratedParts } from './generated-parts';

testGeneratedParts('docs/commands.md', { commands: commandSections });
