import { type RefObject, useEffect } from 'react';

/** Moves the focus to the first field of a form that has an error, so that a person finds it. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** The same whenever the server has refused what was sent. */
export function useFocusFirstInvalid(form: RefObject<HTMLElement | null>, problem: unknown): void {
  useEffect(() => {
    if (problem) focusFirstInvalid(form.current);
  }, [form, problem]);
}
