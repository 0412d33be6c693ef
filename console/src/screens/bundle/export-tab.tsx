import { Link } from '@tanstack/react-router';
import { addressOf } from '../../api/client';
import { useRead, useText } from '../../api/queries';
import type { Bundle, BundleExport, ExportClient } from '../../api/schema';
import { buttonClass } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { CopyBlock } from '../../ui/copy';
import { Icon } from '../../ui/icon';
import { Quiet, Row, Section, Stack } from '../../ui/layout';
import { Empty, Loaded } from '../../ui/problem';
import { bundleRoute } from './bundle-route';
import { ExportReport } from './export-report';
import { oneOf } from './one-of';
import { versionNumber } from './version-changes';
import { bundleWords } from './words';

const words = bundleWords.export;

const CLIENTS = ['vscode', 'cursor', 'claude-desktop', 'compose', 'kubernetes'] as const satisfies ExportClient[];
/** A browser shows so much text without becoming slow. */
const MAX_SHOWN = 100_000;

/** The servers of the bundle as the file of a client. */
export function ExportTab({ bundle }: { bundle: Bundle }) {
  const search = bundleRoute.useSearch();
  const navigate = bundleRoute.useNavigate();
  const client = oneOf(CLIENTS, search.client);
  const version = versionNumber(search.version, bundle.version);
  const path = { bundle_id: bundle.id };
  const report = useRead('GET /v1/bundles/{bundle_id}/export', { path, query: { client, version, format: 'report' } });
  const file = { path, query: { client, version, format: 'file' as const } };
  return (
    <Stack>
      <p>{words.help}</p>
      <Choice
        legend={words.client}
        value={client}
        onChange={(next) =>
          void navigate({ search: { tab: 'export', client: next, version: search.version }, replace: true })
        }
        options={CLIENTS.map((one) => [one, words.clients[one]] as const)}
      />
      {version !== undefined && (
        <p>
          {words.ofVersion(version)}{' '}
          <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }} search={{ tab: 'export', client }}>
            {words.ofNow}
          </Link>
        </p>
      )}
      <Loaded read={report} lines={8}>
        {(answer) => {
          if (!isReport(answer)) return <Empty>{words.nothing}</Empty>;
          return (
            <Stack gap="wide">
              {answer.servers.length === 0 ? (
                <Empty>{words.nothing}</Empty>
              ) : (
                <ExportedFile file={file} name={answer.path} />
              )}
              <ExportReport report={answer} />
            </Stack>
          );
        }}
      </Loaded>
    </Stack>
  );
}

type ExportParts = {
  path: { bundle_id: string };
  query: { client: ExportClient; version: number | undefined; format: 'file' };
};

function ExportedFile({ file, name }: { file: ExportParts; name: string }) {
  const read = useText('GET /v1/bundles/{bundle_id}/export', file);
  const { url } = addressOf('GET /v1/bundles/{bundle_id}/export', file);
  return (
    <Section
      title={words.file}
      aside={
        <a className={buttonClass('primary')} href={url} download={name.split(/[\\/]/).at(-1)}>
          <Icon name="download" />
          {words.download}
        </a>
      }
    >
      <Row>
        <code>{name}</code>
      </Row>
      <Loaded read={read} lines={8}>
        {(text) =>
          text.length > MAX_SHOWN ? <Quiet>{words.tooLong}</Quiet> : <CopyBlock text={text} what={words.what} />
        }
      </Loaded>
    </Section>
  );
}

/** The document has one type for the file and for the report. */
function isReport(answer: object): answer is BundleExport {
  return 'skipped' in answer && 'configuration' in answer;
}
