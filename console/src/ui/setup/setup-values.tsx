import type { ListingInstall } from '../../api/schema';
import { SelectInput, TextInput } from '../field';
import { Quiet, Stack } from '../layout';
import { OtherText, shown } from '../other-text';
import type { Typed } from './fill';
import { leftEmpty } from './left-empty';
import styles from './setup.module.css';
import { words } from './words';

type Input = ListingInstall['inputs'][number];

interface SetupValuesProps {
  inputs: readonly Input[];
  clientName: string;
  typed: Typed;
  onChange: (name: string, value: string) => void;
}

/** The form of what a client needs. It is never sent, and so it is not a `form`, of which a browser would keep passwords. */
export function SetupValues({ inputs, clientName, typed, onChange }: SetupValuesProps) {
  const asked = inputs.filter(({ placeholder }) => placeholder !== null);
  if (asked.length === 0) return null;
  return (
    <Stack gap="tight">
      <h3>{words.values}</h3>
      <Quiet>{words.valuesHelp}</Quiet>
      <div className={styles.values} role="group" aria-label={words.values}>
        {asked.map((input) => (
          <SetupValue
            key={input.name}
            input={input}
            clientName={clientName}
            value={typed[input.name] ?? ''}
            onChange={(value) => onChange(input.name, value)}
          />
        ))}
      </div>
    </Stack>
  );
}

interface SetupValueProps {
  input: Input;
  clientName: string;
  value: string;
  onChange: (value: string) => void;
}

function SetupValue({ input, clientName, value, onChange }: SetupValueProps) {
  const { is_secret: isSecret, is_required: isRequired, choices } = input;
  const placeholder = input.placeholder ?? '';
  const common = {
    label: shown(input.name),
    // The client takes care of what is left empty, unless it keeps the placeholder.
    required: isRequired && leftEmpty(placeholder).does === 'keeps',
    hint: <Hint input={input} placeholder={placeholder} clientName={clientName} />,
    value,
  };
  if (choices !== null && !isSecret) {
    const options = [['', words.notChosen], ...choices.map((choice) => [choice, shown(choice)] as const)] as const;
    return <SelectInput {...common} options={options} onChange={(event) => onChange(event.target.value)} />;
  }
  return (
    <TextInput
      {...common}
      type={isSecret ? 'password' : 'text'}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Hint({ input, placeholder, clientName }: { input: Input; placeholder: string; clientName: string }) {
  const empty = leftEmpty(placeholder);
  const isProposed = input.default !== null && input.default !== '' && !input.is_secret;
  const sentences = [
    ...(input.is_required ? [words.needed] : []),
    empty.does === 'asks' && words.asks(clientName),
    empty.does === 'reads' && words.variable(empty.variable),
    empty.does === 'keeps' && words.kept(shown(placeholder)),
  ].filter((sentence) => sentence !== false);
  return (
    <>
      {input.description && (
        <span className={styles.description}>
          <OtherText>{input.description}</OtherText>
        </span>
      )}
      {isProposed && <span className={styles.description}>{words.proposes(shown(input.default))}</span>}
      <span>{sentences.join(' ')}</span>
    </>
  );
}
