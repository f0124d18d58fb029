/** Text as a POSIX shell reads it back. */

/** Text that shells and build tools leave as it is. */
export const PLAIN = /^[\w@%+=:,./-]*$/;

/** One argument as a shell reads it back: in quotes if the shell would change it. */
export function shellQuoted(argument: string): string {
  return PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
