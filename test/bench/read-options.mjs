/** The options of the command line. Ends the program with the usage where they make no sense. */
export function readOptions(parse, usage) {
  try {
    return parse(process.argv.slice(2));
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exit(2);
  }
}
