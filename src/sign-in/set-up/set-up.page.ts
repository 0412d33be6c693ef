import { html, type Html } from '../../pages/html';
import { MIN_PASSWORD_LENGTH } from '../passwords/password-rules';
import type { SetUpFields, SetUpProblems } from './set-up-form';

interface Shown {
  csrf: Html;
  fields: Omit<SetUpFields, 'password'>;
  problems: SetUpProblems;
  /** What is wrong with none of the fields. */
  problem?: string;
}

interface Field {
  name: keyof SetUpFields;
  label: string;
  type?: string;
  autocomplete: string;
  hint?: string;
}

const FIELDS: readonly Field[] = [
  {
    name: 'token',
    label: 'Set-up token',
    autocomplete: 'off',
    hint: 'The part of the link after "#". It is filled in for you; without script in your browser, paste it here.',
  },
  { name: 'organisation', label: 'Your organisation', autocomplete: 'organization' },
  { name: 'name', label: 'Your name', autocomplete: 'name' },
  { name: 'email', label: 'Your e-mail address', type: 'email', autocomplete: 'username' },
  {
    name: 'password',
    label: 'A password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${MIN_PASSWORD_LENGTH} characters of any kind. Four random words are a good one.`,
  },
];

export function setUpPage({ csrf, fields, problems, problem }: Shown): Html {
  return html`
    <p>This makes your account, which administers this instance, and your organisation. The page works once.</p>
    ${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}
    <form method="post" action="/setup">
      ${csrf}
      ${FIELDS.map((field) => fieldOf(field, field.name === 'password' ? '' : fields[field.name], problems[field.name]))}
      <div class="actions"><button>Set up</button></div>
    </form>
  `;
}

function fieldOf({ name, label, type = 'text', autocomplete, hint }: Field, value: string, problem?: string): Html {
  const described = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-problem`].filter(Boolean);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      maxlength="1024"
      value="${value}"
      aria-describedby="${described.join(' ')}"
      ${problem !== undefined && html`aria-invalid="true"`}
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem !== undefined && html`<p class="error" id="${name}-problem" role="alert">${problem}</p>`}
  </div>`;
}
