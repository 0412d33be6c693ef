const FIELDS = ['name', 'slug', 'description', 'icon'] as const;

export type FormField = (typeof FIELDS)[number];
export type FormValues = Record<FormField, string>;

/** @returns the fields that differ */
export function differing(before: FormValues, after: FormValues): FormField[] {
  return FIELDS.filter((field) => before[field] !== after[field]);
}

/** @returns only the fields that a person has changed, so that those that another changed meanwhile stay */
export function changedValues(before: FormValues, after: FormValues): Partial<FormValues> {
  return Object.fromEntries(differing(before, after).map((field) => [field, after[field]]));
}
