import { type ReactNode, useEffect, useRef, useState } from 'react';
import { listOf } from '../../messages/text';
import { buttonClass } from '../button';
import { CopyBlock } from '../copy';
import { Icon } from '../icon';
import { Quiet, Stack } from '../layout';
import { shown } from '../other-text';
import { fill, inDoubleQuotes, inJson, linkAddress, type Typed } from './fill';
import { leftEmpty } from './left-empty';
import type { Setup } from './setup';
import styles from './setup.module.css';
import { words } from './words';

interface SetupWaysProps {
  setup: Setup;
  clientName: string;
  typed: Typed;
  /** The same without secrets. */
  shownTyped: Typed;
  /** Whether a person has asked for them just now, so that the focus goes along. */
  takesFocus: boolean;
}

/** The link, the command and the file with the values. The best way is open; the others can be opened. */
export function SetupWays({ setup, clientName, typed, shownTyped, takesFocus }: SetupWaysProps) {
  const { inputs, link, command, file } = setup;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  const inCommand = setup.client === 'curl' ? inDoubleQuotes : inJson;
  const hasSecret = inputs.some(({ name, is_secret: isSecret }) => isSecret && (typed[name] ?? '') !== '');
  const missing = inputs
    .filter(({ name, placeholder, is_required: isRequired }) => {
      const isLost = placeholder !== null && leftEmpty(placeholder).does === 'keeps';
      return isRequired && isLost && (typed[name] ?? '') === '';
    })
    .map(({ name }) => shown(name));
  return (
    <Stack>
      <h3 ref={title} tabIndex={-1}>
        {words.open(clientName)}
      </h3>
      <div role="status" className={styles.status}>
        {missing.length > 0 && <span className={styles.missing}>{words.missing(listOf(missing))}</span>}
      </div>
      {link !== null && (
        <LinkWay
          address={linkAddress({ ...link, content: fill(link.content, inputs, typed, inJson) })}
          clientName={clientName}
        />
      )}
      {command !== null && (
        <Way title={words.command} instead={words.commandInstead} isFirst={link === null}>
          <CopyBlock
            what={words.commandWhat}
            text={fill(command, inputs, typed, inCommand)}
            display={fill(command, inputs, shownTyped, inCommand)}
          />
        </Way>
      )}
      {file !== null && (
        <Way title={words.file} instead={words.fileInstead} isFirst={link === null && command === null}>
          <p>{words.fileHelp(file.path)}</p>
          <CopyBlock
            what={words.fileWhat}
            text={fill(file.content, inputs, typed, inJson)}
            display={fill(file.content, inputs, shownTyped, inJson)}
          />
        </Way>
      )}
      {hasSecret && <Quiet>{words.hidden}</Quiet>}
    </Stack>
  );
}

function LinkWay({ address, clientName }: { address: string | undefined; clientName: string }) {
  const [isOpened, setOpened] = useState(false);
  if (address === undefined) return <p role="status">{words.tooLong}</p>;
  return (
    <Stack gap="tight">
      <p>{words.openHelp(clientName)}</p>
      <div>
        <a className={buttonClass('primary')} href={address} rel="noreferrer" onClick={() => setOpened(true)}>
          <Icon name="out" />
          {words.openLink(clientName)}
        </a>
      </div>
      <div role="status" className={styles.status}>
        {isOpened && <Quiet>{words.nothing(clientName)}</Quiet>}
      </div>
    </Stack>
  );
}

interface WayProps {
  title: string;
  instead: string;
  /** Whether there is no better way: then it is open. */
  isFirst: boolean;
  children: ReactNode;
}

function Way({ title, instead, isFirst, children }: WayProps) {
  if (!isFirst) {
    return (
      <details className={styles.instead}>
        <summary>{instead}</summary>
        <Stack gap="tight">{children}</Stack>
      </details>
    );
  }
  return (
    <Stack gap="tight">
      <h4>{title}</h4>
      {children}
    </Stack>
  );
}
