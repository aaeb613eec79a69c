// The OpenAPI 3.1 document of all routes, from the same schemas that read requests.
import type { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { VERSION } from "../../core/version.ts";
import type { Route } from "../types.ts";
import { problemSchema } from "./problem.ts";

/** `/openapi.json`. */
export function openApiDocument(routes: readonly Route[], needsToken: boolean): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "atomsmith",
      version: VERSION,
      description:
        "The interface behind the page of `atomsmith serve`. Errors are RFC 9457 problem documents.",
    },
    paths,
    ...(needsToken
      ? {
          components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
          security: [{ token: [] }],
        }
      : {}),
  });
}

function operation(route: Route): ZodOpenApiOperationObject {
  const { params, query, body, answer, status = 200 } = route;
  const requestParams = {
    ...(params === undefined ? {} : { path: params }),
    ...(query === undefined ? {} : { query }),
  };
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.tag],
    requestParams,
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      [String(status) as "200"]:
        "mediaType" in answer
          ? { description: answer.description, content: { [answer.mediaType]: {} } }
          : { description: "the answer", content: json(answer) },
      default: {
        description: "the error",
        content: { "application/problem+json": { schema: problemSchema } },
      },
    },
    ...(route.open === true ? { security: [] } : {}),
  };
}

function json(schema: z.ZodType) {
  return { "application/json": { schema } };
}

function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [method, ...words].join("_");
}
