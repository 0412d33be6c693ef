import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../errors/message-of';
import { Metrics } from '../metrics/metrics';

/** Prometheus asks every few seconds; whoever takes longer has gone. */
const REQUEST_WITHIN_MS = 10_000;

/**
 * Answers `GET /metrics` on a port of its own, so that a load balancer cannot pass it on by mistake: what it says is for
 * the operator.
 */
@Injectable()
export class MetricsServer {
  private readonly logger = new Logger(MetricsServer.name);
  private server?: Server;

  constructor(private readonly metrics: Metrics) {}

  /**
   * @param port 0: any free one
   * @returns the address
   * @throws Error of the socket: EADDRINUSE, …
   */
  async listen(host: string, port: number): Promise<string> {
    this.metrics.addProcess();
    const server = createServer((request, response) => {
      if (request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      this.metrics.text().then(
        (text) => response.writeHead(200, { 'Content-Type': this.metrics.contentType }).end(text),
        (error: unknown) => {
          this.logger.error(messageOf(error));
          response.writeHead(500).end();
        },
      );
    });
    server.requestTimeout = REQUEST_WITHIN_MS;
    server.unref();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.server = server;
    const { address, family, port: actual } = server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/metrics`;
  }

  /** Prometheus may ask until the very end. */
  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}
