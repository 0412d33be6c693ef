import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useRead } from '../../../api/queries';
import type { ManagedSettings, Unlisted } from '../../../api/schema';
import { number } from '../../../messages/text';
import { buttonClass } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { CopyBlock } from '../../../ui/copy';
import { FirstOf } from '../../../ui/first-of';
import { Icon } from '../../../ui/icon';
import { Quiet, Row, Section, Stack } from '../../../ui/layout';
import { OtherText } from '../../../ui/other-text';
import { Loaded } from '../../../ui/problem';
import styles from './allow-list.module.css';
import { beginningOf, FILE_CLIENTS, type FileClient, managedFile } from './managed-file';
import { usePlace } from './use-place';
import { words } from './words';

const text = words.file;
const FILE_NAME = 'managed-settings.json';

/** The settings file of managed clients, what it cannot name, and where it goes. */
export function FileTab() {
  const { orgId } = usePlace();
  const path = { org_id: orgId };
  const settings = useRead('GET /v1/organisations/{org_id}/managed-settings', { path });
  const report = useRead('GET /v1/organisations/{org_id}/managed-settings/report', { path });
  return (
    <Stack gap="wide">
      <p>{text.help}</p>
      <Loaded read={report} lines={2}>
        {({ unlisted }) => <Unnamed unlisted={unlisted} />}
      </Loaded>
      <Loaded read={settings} lines={8}>
        {(file) => <File settings={file} />}
      </Loaded>
    </Stack>
  );
}

function Unnamed({ unlisted }: { unlisted: readonly Unlisted[] }) {
  if (unlisted.length === 0) return <Quiet>{text.allNamed}</Quiet>;
  return (
    <Section title={text.unlisted}>
      <p>{text.unlistedHelp}</p>
      <FirstOf items={unlisted}>
        {(some) => (
          // It scrolls sideways where it is narrow, so the keyboard must reach it.
          <div className={styles.table} tabIndex={0} role="group" aria-label={text.unlisted}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{text.server}</th>
                  <th scope="col">{text.why}</th>
                </tr>
              </thead>
              <tbody>
                {some.map(({ listing_id: id, name, detail }) => (
                  <tr key={`${id} ${detail}`}>
                    <th scope="row">
                      <Link to="/servers/$listingId" params={{ listingId: id }}>
                        <OtherText>{name}</OtherText>
                      </Link>
                    </th>
                    <td>
                      <OtherText>{detail}</OtherText>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </FirstOf>
    </Section>
  );
}

function File({ settings }: { settings: ManagedSettings }) {
  const [client, setClient] = useState<FileClient>('copilot');
  const [only, setOnly] = useState<'no' | 'yes'>('no');
  const file = managedFile(settings, client, only === 'yes');
  const { text: beginning, leftOut } = beginningOf(file);
  const count = settings.allowedMcpServers.length;
  return (
    <>
      <Section title={text.content} aside={<Download file={file} />}>
        <Row>
          <Choice
            legend={text.client}
            value={client}
            onChange={setClient}
            options={FILE_CLIENTS.map((one) => [one, text.clients[one]] as const)}
          />
          {client === 'claude' && (
            <Choice
              legend={text.only}
              value={only}
              onChange={setOnly}
              options={[
                ['no', text.onlyOptions.no],
                ['yes', text.onlyOptions.yes],
              ]}
            />
          )}
        </Row>
        {count === 0 ? <p className={styles.warning}>{text.empty}</p> : <Quiet>{text.count(count)}</Quiet>}
        <CopyBlock text={file} display={beginning} what={text.what} />
        {leftOut > 0 && <Quiet>{text.shortened(number(leftOut))}</Quiet>}
      </Section>
      <Section title={text.where}>
        <ul className={styles.plain}>
          {text.steps[client].map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
        <Quiet>{text.again}</Quiet>
      </Section>
    </>
  );
}

/** The file as it is shown, and not as the API has it: it may have a switch of the client. */
function Download({ file }: { file: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([file], { type: 'application/json' })), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <a className={buttonClass()} href={url} download={FILE_NAME}>
      <Icon name="download" />
      {text.download}
    </a>
  );
}
