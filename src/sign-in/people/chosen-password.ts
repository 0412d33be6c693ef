import { Passwords } from '../passwords/passwords.service';
import type { PasswordOwner } from '../passwords/password-rules';
import type { FieldProblems } from './link-pages';

/** @returns what is wrong with the two fields of `newPasswordFields`; undefined if the password can be used */
export function chosenPasswordProblems(
  passwords: Passwords,
  { password = '', password_again: again = '' }: Record<string, string>,
  owner: PasswordOwner,
): FieldProblems | undefined {
  const problem = passwords.problemWith(password, owner);
  if (problem !== undefined) return { password: problem };
  return password.normalize('NFC') === again.normalize('NFC')
    ? undefined
    : { password_again: 'This is not the same as above.' };
}
