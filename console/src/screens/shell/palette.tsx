import { Autocomplete } from '@base-ui/react/autocomplete';
import { useState } from 'react';
import { t } from '../../messages/text';
import { Dialog } from '../../ui/dialog';
import { Icon } from '../../ui/icon';
import { OtherText } from '../../ui/other-text';
import { type Command, type CommandGroup, useCommands } from './commands';
import styles from './palette.module.css';

const text = t.shell.palette;

interface Props {
  onClose: () => void;
  onShowCalls: () => void;
}

/** Servers, bundles, screens and actions by their names. Enter runs what is marked. */
export default function Palette({ onClose, onShowCalls }: Props) {
  const [typed, setTyped] = useState('');
  const groups = useCommands(typed, onShowCalls);
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  return (
    <Dialog open onClose={onClose} title={text.title}>
      <Autocomplete.Root
        open
        inline
        items={groups}
        value={typed}
        onValueChange={(value, { reason }) => {
          if (reason !== 'item-press') setTyped(value);
        }}
        // The groups are what matches already, and servers come from the search of the API.
        filter={null}
        itemToStringValue={(command: Command) => command.label}
        autoHighlight="always"
      >
        <Autocomplete.Input className={styles.input} aria-label={text.input} placeholder={text.input} maxLength={200} />
        <Autocomplete.Empty className={styles.empty}>{text.noHit}</Autocomplete.Empty>
        <Autocomplete.List className={styles.list}>
          {(group: CommandGroup) => (
            <Autocomplete.Group key={group.value} items={group.items}>
              <Autocomplete.GroupLabel className={styles.label}>{group.value}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: Command) => (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    className={styles.item}
                    onClick={() => run(command)}
                  >
                    <Icon name={command.icon} />
                    <OtherText>{command.label}</OtherText>
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  );
}
