import { html, type Html } from '../../pages/html';
import type { WebPage } from '../../pages/web-pages';

/** What is wrong with a field of a form, by its name; for the person. */
export type FieldProblems = Readonly<Record<string, string | undefined>>;

/** A labelled field, with what is wrong with it beside it. */
export function field(
  name: string,
  label: string,
  attributes: Html,
  { problem, hint }: { problem?: string; hint?: string } = {},
): Html {
  const [hintId, problemId] = [`${name}-hint`, `${name}-problem`];
  const describedBy = [...(hint === undefined ? [] : [hintId]), ...(problem === undefined ? [] : [problemId])].join(
    ' ',
  );
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      ${attributes}
      ${describedBy !== '' && html`aria-describedby="${describedBy}"`}
      ${problem !== undefined && html`aria-invalid="true"`}
    />
    ${hint !== undefined && html`<p class="hint" id="${hintId}">${hint}</p>`}
    ${problem !== undefined && html`<p class="error" id="${problemId}">${problem}</p>`}
  </div>`;
}

/** The two fields with which a person chooses a password. */
export function newPasswordFields(problems: FieldProblems): Html {
  const attributes = html`type="password" autocomplete="new-password" required`;
  return html`${field('password', 'New password', attributes, {
    problem: problems.password,
    hint: 'At least 15 characters. Four or five random words are a good one.',
  })}
  ${field('password_again', 'The same password again', attributes, { problem: problems.password_again })}`;
}

/** The address, for password managers, which store it beside the password. */
export function addressField(email: string): Html {
  return html`<div class="field">
    <label for="email">E-mail address</label>
    <input id="email" type="email" autocomplete="username" readonly value="${email}" />
  </div>`;
}

/** One page for links that are unknown, used, replaced, deleted or expired: it reveals nothing. */
export const DEAD_LINK: WebPage = {
  status: 404,
  title: 'This link does not work',
  body: html`<p>It was used already, has expired, or was replaced by a newer one. Ask an administrator for another.</p>
    <p><a href="/sign-in">Sign in</a></p>`,
};
