import { endpointUrlFault } from './entry-endpoint';

describe('The text of an endpoint_url', () => {
  it.each([
    'https://mcp.example.com/mcp',
    'https://mcp.example.com',
    'https://mcp.example.com:8443/a/b?tools=read,write',
    'http://127.0.0.1:8080/mcp',
    'https://bücher.example/mcp',
    'HTTPS://mcp.example.com/@me',
  ])('may be %s', (text) => {
    expect(endpointUrlFault(text)).toBeUndefined();
  });

  it.each([
    ['', 'url_parsing'],
    ['mcp.example.com/mcp', 'url_parsing'],
    ['/mcp', 'url_parsing'],
    ['https://', 'url_parsing'],
    ['https:///mcp', 'url_parsing'],
    ['https:mcp.example.com', 'url_parsing'],
    ['https:\\\\mcp.example.com', 'url_parsing'],
    [' https://mcp.example.com', 'url_parsing'],
    ['https://mcp.example.com/a b', 'url_parsing'],
    ['https://mcp.exa\nmple.com/', 'url_parsing'],
    ['https://mcp.example.com/\u0000', 'url_parsing'],
    ['ftp://mcp.example.com/', 'url_scheme'],
    ['javascript:alert(1)', 'url_scheme'],
    ['file:///etc/passwd', 'url_scheme'],
    ['stdio://server', 'url_scheme'],
    ['https://user:pass@mcp.example.com/', 'value_error'],
    ['https://user@mcp.example.com/', 'value_error'],
    ['https://@mcp.example.com/', 'value_error'],
    ['https://mcp.example.com/#top', 'value_error'],
    ['https://mcp.example.com/#', 'value_error'],
    ['https://{tenant}.example.com/mcp', 'value_error'],
    ['https://mcp.example.com/{tenant}/mcp', 'value_error'],
    ['https://mcp.example.com/?key=${KEY}', 'value_error'],
  ])('must not be %j', (text, type) => {
    expect(endpointUrlFault(text)).toMatchObject({ type });
  });
});
