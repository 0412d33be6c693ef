import { Combobox } from '@base-ui/react/combobox';
import { useId } from 'react';
import { classes } from './layout';
import field from './field.module.css';
import { OtherText, shown } from './other-text';
import styles from './picker.module.css';
import popup from './popup.module.css';

/** More are found by typing on. */
const MAX_SHOWN = 50;

export interface Pick {
  id: string;
  name: string;
  /** What tells two of the same name apart. */
  detail?: string | undefined;
}

interface PickerProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  picks: readonly Pick[];
  value: Pick | null;
  onChange: (pick: Pick | null) => void;
  /** What was typed, where the server searches; without it the picks are searched here. */
  onType?: (typed: string) => void;
  /** What is shown if nothing matches, or is not read yet. */
  empty: string;
}

/** One of many, found by typing a part of its name. */
export function Picker({ label, hint, error, picks, value, onChange, onType, empty }: PickerProps) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div className={field.field}>
      <label htmlFor={id}>{label}</label>
      <Combobox.Root
        items={picks}
        limit={MAX_SHOWN}
        value={value}
        onValueChange={(next: Pick | null) => onChange(next)}
        isItemEqualToValue={(one: Pick, other: Pick) => one.id === other.id}
        itemToStringLabel={({ name }: Pick) => shown(name)}
        {...(onType && { filter: null, onInputValueChange: (typed: string) => onType(typed) })}
        autoHighlight
      >
        <Combobox.Input
          id={id}
          className={field.input}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={describedBy.length === 0 ? undefined : describedBy.join(' ')}
          aria-invalid={error !== undefined || undefined}
          aria-required
        />
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={4}>
            <Combobox.Popup className={classes(popup.menu, styles.popup)}>
              <Combobox.Empty className={styles.empty}>{empty}</Combobox.Empty>
              <Combobox.List>
                {(pick: Pick) => (
                  <Combobox.Item key={pick.id} value={pick} className={popup.item}>
                    <OtherText>{pick.name}</OtherText>
                    {pick.detail !== undefined && (
                      <span className={styles.detail}>
                        <OtherText>{pick.detail}</OtherText>
                      </span>
                    )}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      {hint !== undefined && (
        <span className={field.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span className={field.error} id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}
