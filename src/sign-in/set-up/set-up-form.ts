import { slugOf } from '../../http/requests/slug';
import { passwordProblem } from '../passwords/password-rules';

const MAX_NAME_LENGTH = 200;
/** RFC 5321, section 4.5.3.1. */
const MAX_EMAIL_LENGTH = 320;

/** What the set-up page asks for. */
export interface SetUpFields {
  token: string;
  organisation: string;
  name: string;
  email: string;
  password: string;
}

export type SetUpProblems = Partial<Record<keyof SetUpFields, string>>;

/** @param form the fields of a form, any of which may be missing */
export function setUpFields(form: Readonly<Record<string, string>>): SetUpFields {
  const { token = '', organisation = '', name = '', email = '', password = '' } = form;
  // Copied from a terminal, the token may be the whole link.
  const [, fragment = token] = token.trim().split('#');
  return {
    token: fragment.trim(),
    organisation: organisation.trim(),
    name: name.trim(),
    email: email.trim(),
    password,
  };
}

/** @returns what is wrong, by field, in the words for the person */
export function setUpProblems({ token, organisation, name, email, password }: SetUpFields): SetUpProblems {
  const isEmail = /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= MAX_EMAIL_LENGTH;
  const problems = {
    token: token === '' ? 'Paste the token: the part of the link after "#".' : undefined,
    organisation:
      nameProblem(organisation) ??
      (slugOf(organisation) === undefined ? 'Use at least one letter or digit.' : undefined),
    name: nameProblem(name),
    email: isEmail ? undefined : 'Enter an e-mail address.',
    password: passwordProblem(password, { email, name }),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}

function nameProblem(text: string): string | undefined {
  if (text === '') return 'Enter a name.';
  return Array.from(text).length > MAX_NAME_LENGTH ? `Use at most ${MAX_NAME_LENGTH} characters.` : undefined;
}
