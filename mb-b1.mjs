var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};

// lib/errors/suggestions.ts
function didYouMean(name, known3) {
  const best2 = nearest(name, known3);
  return best2 === void 0 ? "" : ` Did you mean '${best2}'?`;
}
function nearest(name, known3) {
  if (name.length > longestName) return void 0;
  const wanted = name.toLowerCase();
  const table = new DistanceTable(wanted);
  let best2;
  let bestDistance = Math.min(Math.floor(name.length * 0.4), maximumEdits) + 1;
  for (const candidate of known3) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = table.distanceTo(candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best2 = candidate;
      bestDistance = distance;
    }
  }
  return best2;
}
var maximumEdits, longestName, DistanceTable;
var init_suggestions = __esm({
  "lib/errors/suggestions.ts"() {
    "use strict";
    maximumEdits = 4;
    longestName = 128;
    DistanceTable = class {
      constructor(from) {
        this.from = from;
        this.width = from.length + maximumEdits + 2;
        this.beforePrevious = new Uint8Array(this.width);
        this.previous = new Uint8Array(this.width);
        this.current = new Uint8Array(this.width);
      }
      from;
      width;
      beforePrevious;
      previous;
      current;
      /**
       * @param to at most `limit` longer or shorter
       * @param limit from here on the exact distance does not matter
       */
      distanceTo(to, limit) {
        if (to.length >= this.width) return limit;
        for (let column2 = 0; column2 <= to.length; column2++) this.previous[column2] = column2;
        for (let row = 1; row <= this.from.length; row++) {
          if (this.fillRow(row, to) >= limit) return limit;
          const spare = this.beforePrevious;
          this.beforePrevious = this.previous;
          this.previous = this.current;
          this.current = spare;
        }
        return this.previous[to.length] ?? limit;
      }
      /** @returns the lowest number in the row: no later row has a lower one */
      fillRow(row, to) {
        const { from, beforePrevious, previous, current } = this;
        const unit = from.charCodeAt(row - 1);
        const unitBefore = from.charCodeAt(row - 2);
        let lowest = row;
        let left = row;
        current[0] = row;
        for (let column2 = 1; column2 <= to.length; column2++) {
          const other = to.charCodeAt(column2 - 1);
          let cost = (previous[column2 - 1] ?? 0) + (unit === other ? 0 : 1);
          const removed = (previous[column2] ?? 0) + 1;
          if (removed < cost) cost = removed;
          if (left + 1 < cost) cost = left + 1;
          if (unit === to.charCodeAt(column2 - 2) && unitBefore === other) {
            const swapped = (beforePrevious[column2 - 2] ?? 0) + 1;
            if (swapped < cost) cost = swapped;
          }
          current[column2] = cost;
          left = cost;
          if (cost < lowest) lowest = cost;
        }
        return lowest;
      }
    };
  }
});

// lib/xml/escape-xml.ts
function escapeText(text3) {
  return special2.test(text3) ? escapeSpecial(text3) : text3;
}
function escapeAttribute(text3) {
  return escapeText(text3).replace(whiteSpace, (character) => character === "	" ? "&#9;" : "&#10;");
}
function escapeSpecial(text3) {
  let escaped3 = text3.toWellFormed().replace(illegal, "\uFFFD");
  for (const [character, reference] of textEscapes) escaped3 = escaped3.replaceAll(character, reference);
  return escaped3;
}
var special2, illegal, whiteSpace, textEscapes;
var init_escape_xml = __esm({
  "lib/xml/escape-xml.ts"() {
    "use strict";
    special2 = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;
    illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
    whiteSpace = /[\t\n]/g;
    textEscapes = [
      ["&", "&amp;"],
      ["<", "&lt;"],
      [">", "&gt;"],
      ['"', "&quot;"],
      ["\r", "&#13;"]
    ];
  }
});

// lib/errors/error-codes.ts
var errorCodes;
var init_error_codes = __esm({
  "lib/errors/error-codes.ts"() {
    "use strict";
    errorCodes = {
      BadRequest: { status: 400, message: "The request is malformed." },
      InvalidSystemQueryOption: { status: 400, message: "A system query option is malformed." },
      QueryOptionNotAllowed: { status: 400, message: "This query option is not allowed on this resource." },
      DataServiceVersionMismatch: {
        status: 400,
        message: "The version of the protocol that the request asks for cannot be served."
      },
      LimitExceeded: { status: 400, message: "The request exceeds a limit of this service." },
      Unauthorized: { status: 401, message: "Authorization is required." },
      Forbidden: { status: 403, message: "The request is not permitted." },
      ResourceNotFound: { status: 404, message: "The resource does not exist." },
      MethodNotAllowed: { status: 405, message: "The method is not allowed on this resource." },
      NotAcceptable: { status: 406, message: "The resource cannot be represented in a form that was asked for." },
      RequestTimeout: { status: 408, message: "The request did not come in time." },
      Conflict: { status: 409, message: "The request conflicts with the state of the data." },
      PreconditionFailed: { status: 412, message: "The resource has changed since it was read." },
      PayloadTooLarge: { status: 413, message: "The body of the request is too large." },
      UriTooLong: { status: 414, message: "The URI of the request is too long." },
      UnsupportedMediaType: { status: 415, message: "The media type of the body is not supported here." },
      RangeNotSatisfiable: { status: 416, message: "The range lies outside the media resource." },
      PreconditionRequired: {
        status: 428,
        message: "The request must name the version it changes in If-Match: the ETag that GET answers, or * for any version."
      },
      TooManyRequests: { status: 429, message: "There are too many requests. Try again later." },
      InternalServerError: { status: 500, message: "The service failed to answer the request." },
      NotImplemented: { status: 501, message: "The service does not implement this." },
      ServiceUnavailable: { status: 503, message: "The service is not available at the moment." }
    };
  }
});

// lib/errors/odata-error.ts
var brand, ODataError;
var init_odata_error = __esm({
  "lib/errors/odata-error.ts"() {
    "use strict";
    init_error_codes();
    init_suggestions();
    brand = /* @__PURE__ */ Symbol.for("express-odata-v2.ODataError");
    ODataError = class extends Error {
      /** What programs can compare. */
      code;
      /** The status of the answer, which follows from the code. */
      status;
      details;
      innererror;
      constructor(code, options = {}) {
        if (!Object.hasOwn(errorCodes, code)) {
          const codes = Object.keys(errorCodes);
          const hint2 = didYouMean(String(code), codes) || ` There are ${codes.join(", ")}.`;
          throw new TypeError(`Unknown error code '${String(code)}'.${hint2}`);
        }
        const entry = errorCodes[code];
        super(
          options.message ?? entry.message,
          options.cause === void 0 ? void 0 : { cause: options.cause }
        );
        this.name = "ODataError";
        this.code = code;
        this.status = entry.status;
        this.details = options.details ?? {};
        this.innererror = options.innererror;
        Object.defineProperty(this, brand, { value: true });
      }
      /** The same as `status`: what Express and http-errors call it. */
      get statusCode() {
        return this.status;
      }
      /** True when the message may be shown to the client. */
      get expose() {
        return this.status !== 500;
      }
      static [Symbol.hasInstance](value) {
        if (typeof value !== "object" || value === null) return false;
        const isOwn = Object.hasOwn(this, Symbol.hasInstance);
        return isOwn ? brand in value : Function.prototype[Symbol.hasInstance].call(this, value);
      }
    };
  }
});

// lib/edm/primitive-types/primitive-type-name.ts
var primitiveTypeNames = [
  "Edm.Binary",
  "Edm.Boolean",
  "Edm.Byte",
  "Edm.DateTime",
  "Edm.DateTimeOffset",
  "Edm.Decimal",
  "Edm.Double",
  "Edm.Guid",
  "Edm.Int16",
  "Edm.Int32",
  "Edm.Int64",
  "Edm.SByte",
  "Edm.Single",
  "Edm.String",
  "Edm.Time"
];
var known = new Set(primitiveTypeNames);
function isPrimitiveTypeName(name) {
  return known.has(name);
}

// lib/xml/namespaces.ts
var atomNamespace = "http://www.w3.org/2005/Atom";
var appNamespace = "http://www.w3.org/2007/app";
var dataNamespace = "http://schemas.microsoft.com/ado/2007/08/dataservices";
var metadataNamespace = `${dataNamespace}/metadata`;
var relatedNamespace = `${dataNamespace}/related/`;
var schemeNamespace = `${dataNamespace}/scheme`;
var xmlnsNamespace = "http://www.w3.org/2000/xmlns/";
var xmlNamespace = "http://www.w3.org/XML/1998/namespace";
var csdl2Namespace = "http://schemas.microsoft.com/ado/2008/09/edm";

// lib/edm/edm-model.ts
var multiplicities = ["0..1", "1", "*"];
function nameOfType(type) {
  return isPrimitive(type) ? type : type.qualifiedName;
}
function isPrimitive(type) {
  return typeof type === "string";
}
function setInRole({ ends }, role) {
  return ends.find((end) => end.role === role)?.entitySet;
}

// lib/edm/annotations.ts
var noAnnotations = Object.freeze({
  attributes: Object.freeze([]),
  elements: Object.freeze([])
});
var plain = Object.freeze({ annotations: noAnnotations });

// lib/edm/build/annotated.ts
function annotated(definition) {
  const { documentation, annotations } = definition ?? {};
  return {
    ...documentation === void 0 ? {} : { documentation },
    annotations: annotations === void 0 ? noAnnotations : {
      attributes: annotations.attributes ?? [],
      elements: annotations.elements ?? [],
      ...annotations.parts === void 0 ? {} : { parts: annotations.parts }
    }
  };
}

// lib/edm/build/build-associations.ts
init_suggestions();

// lib/edm/build/name-scope.ts
init_suggestions();
var plainIdentifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
var simpleIdentifier = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*$/u;
var maximumLength = 480;
function checkName(name, place4, faults) {
  const isIdentifier = plainIdentifier.test(name) || simpleIdentifier.test(name);
  if (isIdentifier && name.length <= maximumLength) return;
  const rest = name.slice(name.lastIndexOf(".") + 1);
  const hint2 = rest === name ? "" : ` Write '${rest}' alone: the namespace is that of the schema.`;
  faults.add(
    place4,
    `'${name}' is not a name: it must start with a letter, hold letters, digits and underscores, and have at most ${maximumLength} characters.${hint2}`
  );
}
var reservedNames = ["__metadata", "__deferred"];
function checkPropertyName(name, place4, faults) {
  checkName(name, place4, faults);
  if (!reservedNames.includes(name)) return;
  faults.add(place4, `in JSON, '${name}' is what a service says of an entity. Give the property another name.`);
}
var NameScope = class {
  constructor(schema, all2) {
    this.schema = schema;
    this.all = all2;
  }
  schema;
  all;
  find(name) {
    return this.all.get(this.qualify(name));
  }
  /** The qualified name that `name` stands for in this schema. */
  qualify(name) {
    const dot = name.lastIndexOf(".");
    if (dot < 0) return `${this.schema.namespace}.${name}`;
    const prefix3 = name.slice(0, dot);
    const rest = name.slice(dot + 1);
    if (prefix3 === this.schema.alias) return `${this.schema.namespace}.${rest}`;
    const using = this.schema.usings?.find(({ alias }) => alias === prefix3);
    return using === void 0 ? name : `${using.namespace}.${rest}`;
  }
  /** A hint for a name that was not found, in the short form when the schema itself has the thing. */
  suggest(name) {
    const prefix3 = `${this.schema.namespace}.`;
    const names = [...this.all.keys()];
    const own = names.filter((one) => one.startsWith(prefix3)).map((one) => one.slice(prefix3.length));
    return didYouMean(name, name.includes(".") ? names : [...own, ...names]);
  }
};

// lib/edm/build/build-associations.ts
function buildAssociations(schemas, entityTypes, faults) {
  const associations = /* @__PURE__ */ new Map();
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.associations ?? {})) {
      const qualifiedName = `${schema.namespace}.${name}`;
      checkName(name, qualifiedName, faults);
      const ends = buildEnds(definition, qualifiedName, new NameScope(schema, entityTypes), faults);
      if (ends === void 0) continue;
      associations.set(
        qualifiedName,
        Object.freeze({
          name,
          namespace: schema.namespace,
          qualifiedName,
          ...annotated(definition),
          ends,
          referentialConstraint: buildConstraint(definition, ends, qualifiedName, faults)
        })
      );
    }
  }
  return associations;
}
function buildEnds(definition, place4, entityTypes, faults) {
  const ends = Object.entries(definition.ends ?? {}).map(
    ([role, end]) => buildEnd(role, end, place4, entityTypes, faults)
  );
  if (ends.length !== 2)
    faults.add(place4, `an association has two ends with different roles, not ${ends.length}.`);
  const [first, second] = ends;
  return first === void 0 || second === void 0 ? void 0 : [first, second];
}
function buildEnd(role, definition, place4, entityTypes, faults) {
  const type = entityTypes.find(definition.type);
  if (type === void 0) {
    const hint2 = entityTypes.suggest(definition.type);
    faults.add(`${place4}.${role}`, `there is no entity type '${definition.type}'.${hint2}`);
    return void 0;
  }
  return Object.freeze({
    role,
    ...annotated(definition),
    type,
    multiplicity: definition.multiplicity,
    onDelete: definition.onDelete
  });
}
function buildConstraint({ referentialConstraint }, ends, place4, faults) {
  if (referentialConstraint === void 0) return void 0;
  const principal = constraintRole(referentialConstraint.principal, ends, `${place4} (principal)`, faults);
  const dependent = constraintRole(referentialConstraint.dependent, ends, `${place4} (dependent)`, faults);
  if (principal === void 0 || dependent === void 0) return void 0;
  if (principal.end === dependent.end) {
    faults.add(place4, "principal and dependent of the referential constraint must be different roles.");
  }
  if (principal.properties.length !== dependent.properties.length) {
    faults.add(
      place4,
      "principal and dependent of the referential constraint must name the same number of properties."
    );
    return void 0;
  }
  return Object.freeze({
    ...annotated(referentialConstraint),
    principal: principal.end,
    principalProperties: principal.properties,
    dependent: dependent.end,
    dependentProperties: dependent.properties
  });
}
function constraintRole({ role, properties }, ends, place4, faults) {
  const end = ends.find((one) => one.role === role);
  if (end === void 0) {
    const roles = ends.map((one) => one.role);
    faults.add(place4, `there is no role '${role}'.${didYouMean(role, roles)}`);
    return void 0;
  }
  const found = [];
  for (const name of properties) {
    const property2 = end.type.property(name);
    if (property2 !== void 0) {
      found.push(property2);
      continue;
    }
    const names = end.type.properties.map((one) => one.name);
    faults.add(place4, `'${end.type.name}' has no property '${name}'.${didYouMean(name, names)}`);
  }
  return found.length === properties.length ? { end, properties: found } : void 0;
}

// lib/util/shortened.ts
function shortened(text3, most = 100) {
  return text3.length > most ? `${text3.slice(0, most).toWellFormed()}\u2026` : text3;
}

// lib/edm/feed-mapping.ts
var syndicationTargets = [
  "SyndicationAuthorEmail",
  "SyndicationAuthorName",
  "SyndicationAuthorUri",
  "SyndicationContributorEmail",
  "SyndicationContributorName",
  "SyndicationContributorUri",
  "SyndicationPublished",
  "SyndicationRights",
  "SyndicationSummary",
  "SyndicationTitle",
  "SyndicationUpdated"
];
var known2 = new Set(syndicationTargets);
function isSyndicationTarget(path2) {
  return known2.has(path2);
}

// lib/edm/build/suggest-primitive-type.ts
init_suggestions();
var prefix = "Edm.";
var shortNames = primitiveTypeNames.map((name) => name.slice(prefix.length));
function suggestPrimitiveType(name) {
  const best2 = nearest(name.replace(/^edm\./i, ""), shortNames);
  return best2 === void 0 ? "" : ` Did you mean '${prefix}${best2}'?`;
}

// lib/edm/primitive-types/compare-operands.ts
function compareNumbers(a, b) {
  if (a < b) return -1;
  if (a > b) return 1;
  const aIsNaN = Number.isNaN(a);
  const bIsNaN = Number.isNaN(b);
  return aIsNaN === bIsNaN ? 0 : aIsNaN ? -1 : 1;
}
function compareStrings(a, b) {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    const difference = codePointRank(left, a, index) - codePointRank(right, b, index);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
function codePointRank(unit, text3, index) {
  if (unit < 55296) return unit;
  if (unit >= 57344) return unit - 2048;
  const other = unit < 56320 ? text3.charCodeAt(index + 1) & 64512 : text3.charCodeAt(index - 1) & 64512;
  return other === (unit < 56320 ? 56320 : 55296) ? unit + 8192 : 65533 - 2048;
}
function compareBytes(a, b) {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

// lib/edm/primitive-types/literal-form.ts
function literalForm(before, format2, after) {
  return {
    aroundLiteral: [before, after],
    formatLiteral: before === "" && after === "" ? format2 : (value) => before + format2(value) + after
  };
}

// lib/edm/primitive-types/integer.ts
var digits = /^[+-]?\d+$/;
var integerRanges = {
  "Edm.Byte": [0, 255],
  "Edm.SByte": [-128, 127],
  "Edm.Int16": [-32768, 32767],
  "Edm.Int32": [-2147483648, 2147483647]
};
function integerType(name) {
  const [minimum, maximum] = integerRanges[name];
  return {
    name,
    // The range is checked where values are stored or sent: numbers beyond it can be compared.
    toOperand: (value) => Number.isInteger(value) || typeof value === "bigint" ? value : void 0,
    toValue: (operand) => operand,
    compare: compareNumbers,
    parse(text3) {
      if (!digits.test(text3)) return void 0;
      const value = Number(text3);
      return value >= minimum && value <= maximum ? value + 0 : void 0;
    },
    ...literalForm("", String, "")
  };
}
var byteType = integerType("Edm.Byte");
var sByteType = integerType("Edm.SByte");
var int16Type = integerType("Edm.Int16");
var int32Type = integerType("Edm.Int32");
var int64Minimum = -(2n ** 63n);
var int64Maximum = 2n ** 63n - 1n;
var int64Type = {
  name: "Edm.Int64",
  toOperand(value) {
    if (typeof value === "bigint" || Number.isSafeInteger(value)) return value;
    return typeof value === "string" && digits.test(value) ? BigInt(value.replace("+", "")) : void 0;
  },
  toValue: (operand) => BigInt(operand),
  compare: compareNumbers,
  parse(text3) {
    if (!digits.test(text3)) return void 0;
    const value = BigInt(text3.replace("+", ""));
    return value >= int64Minimum && value <= int64Maximum ? value : void 0;
  },
  ...literalForm("", String, "L")
};

// lib/util/number-text.ts
var small = 1073741823;
var threeDigits = Array.from({ length: 1e3 }, (_, index) => String(index).padStart(3, "0"));
var thousandths = threeDigits.map((digits2, index) => index === 0 ? "" : `.${digits2.replace(/0+$/, "")}`);
function integerText(value) {
  if (value >= -small && value <= small) return `${value}`;
  if (value < 0) return `-${integerText(-value)}`;
  const millions = Math.floor(value / 1e6);
  const rest = value - millions * 1e6;
  const thousands = Math.floor(rest / 1e3);
  return integerText(millions) + threeOf(thousands) + threeOf(rest - thousands * 1e3);
}
function numberText(value) {
  const scaled = value * 1e3;
  if (scaled < -small || scaled > small || scaled !== (scaled | 0) || scaled / 1e3 !== value)
    return `${value}`;
  const absolute = Math.abs(scaled);
  const whole = absolute / 1e3 | 0;
  return (scaled < 0 ? "-" : "") + `${whole}${thousandths[absolute - whole * 1e3] ?? ""}`;
}
function threeOf(value) {
  return threeDigits[value] ?? "";
}

// lib/edm/instant.ts
var Instant = class {
  /**
   * @param milliseconds since 1970-01-01T00:00:00Z
   * @param ticks hundreds of nanoseconds beyond the millisecond, 0 to 9999
   * @param offset minutes that the writer's own clock was ahead of UTC
   */
  constructor(milliseconds2, ticks2 = 0, offset = 0) {
    this.milliseconds = milliseconds2;
    this.ticks = ticks2;
    this.offset = offset;
  }
  milliseconds;
  ticks;
  offset;
};
var earliest = Date.parse("0001-01-01T00:00:00Z");
var latest = Date.parse("9999-12-31T23:59:59.999Z");
var maximumOffset = 14 * 60;
var pattern = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?)?([Zz]|[+-]\d{2}:?\d{2})?$/;
function parseInstant(text3) {
  const match = pattern.exec(text3);
  if (match === null) return void 0;
  const [, year, month, day3, hour = "0", minute = "0", second = "0", fraction = "", zone] = match;
  const local = utcMilliseconds(
    Number(year),
    Number(month),
    Number(day3),
    Number(hour),
    Number(minute),
    Number(second)
  );
  if (local === void 0) return void 0;
  const digits2 = fraction.padEnd(7, "0");
  if (Number(hour) === 24 && Number(fraction) > 0) return void 0;
  const offset = offsetMinutes(zone);
  if (offset === void 0) return void 0;
  const milliseconds2 = local + Number(digits2.slice(0, 3)) - offset * 6e4;
  if (milliseconds2 < earliest || milliseconds2 > latest) return void 0;
  return {
    instant: new Instant(milliseconds2, Number(digits2.slice(3, 7)), offset),
    zone,
    fractionDigits: fraction.length
  };
}
function plainMilliseconds(text3) {
  const { length } = text3;
  return (length === 19 || length === 23) && text3.charCodeAt(10) === 84 ? millisecondsOfText(text3) : void 0;
}
function millisecondsOfText(text3) {
  const { length } = text3;
  const separator = text3.charCodeAt(10);
  const hasMarks = text3.charCodeAt(4) === 45 && text3.charCodeAt(7) === 45 && (separator === 32 || separator === 84) && text3.charCodeAt(13) === 58 && text3.charCodeAt(16) === 58 && (length === 19 || length > 20 && length < 28 && text3.charCodeAt(19) === 46);
  if (!hasMarks) return void 0;
  const year = twoAt(text3, 0) * 100 + twoAt(text3, 2);
  const month = twoAt(text3, 5);
  const day3 = twoAt(text3, 8);
  const hour = twoAt(text3, 11);
  const minute = twoAt(text3, 14);
  const second = twoAt(text3, 17);
  const fraction = length === 19 ? 0 : thousandthsAt(text3, 20);
  const isPlain2 = year >= 1 && month >= 1 && month <= 12 && day3 >= 1 && day3 <= (daysOfMonth[month] ?? 0) && hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59 && fraction >= 0;
  if (!isPlain2) return void 0;
  return dayNumber(year, month, day3) * millisecondsOfDay + ((hour * 60 + minute) * 60 + second) * 1e3 + fraction;
}
var daysOfMonth = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
var NO_DIGIT = -1e6;
function digitAt(text3, index) {
  const digit = text3.charCodeAt(index) - 48;
  return digit >= 0 && digit <= 9 ? digit : NO_DIGIT;
}
function thousandthsAt(text3, index) {
  const { length } = text3;
  for (let at2 = index + 3; at2 < length; at2++) if (digitAt(text3, at2) < 0) return NO_DIGIT;
  const tenths = digitAt(text3, index) * 100;
  const hundredths = index + 1 < length ? digitAt(text3, index + 1) * 10 : 0;
  return tenths + hundredths + (index + 2 < length ? digitAt(text3, index + 2) : 0);
}
function twoAt(text3, index) {
  return digitAt(text3, index) * 10 + digitAt(text3, index + 1);
}
function instantOfDate(date) {
  const milliseconds2 = date.getTime();
  return milliseconds2 >= earliest && milliseconds2 <= latest ? new Instant(milliseconds2) : void 0;
}
function formatSeconds(milliseconds2) {
  const days = Math.floor(milliseconds2 / millisecondsOfDay);
  const seconds = Math.floor((milliseconds2 - days * millisecondsOfDay) / 1e3);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${formatDay(days)}T${pad2(hours)}:${pad2(minutes - hours * 60)}:${pad2(seconds - minutes * 60)}`;
}
function formatMilliseconds(milliseconds2) {
  return `${formatSeconds(milliseconds2)}.${threeOf(milliseconds2 - Math.floor(milliseconds2 / 1e3) * 1e3)}`;
}
var millisecondsOfDay = 864e5;
var twoDigits = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, "0"));
function pad2(value) {
  return twoDigits[value] ?? String(value);
}
var daysOf400Years = 146097;
var daysBefore1970 = 719468;
function dayNumber(year, month, day3) {
  const yearFromMarch = month <= 2 ? year - 1 : year;
  const monthFromMarch = month <= 2 ? month + 9 : month - 3;
  const leapDays = Math.floor(yearFromMarch / 4) - Math.floor(yearFromMarch / 100) + Math.floor(yearFromMarch / 400);
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day3 - 1;
  return yearFromMarch * 365 + leapDays + dayOfYear - daysBefore1970;
}
function formatDay(days) {
  const shifted = days + daysBefore1970;
  const cycle = Math.floor(shifted / daysOf400Years);
  const dayOfCycle = shifted - cycle * daysOf400Years;
  const leapDays = Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36524) + Math.floor(dayOfCycle / 146096);
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365);
  const dayOfYear = dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day3 = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0);
  const century = Math.floor(year / 100);
  return `${pad2(century)}${pad2(year - century * 100)}-${pad2(month)}-${pad2(day3)}`;
}
function formatFraction(instant, precision) {
  const thousandths2 = (instant.milliseconds % 1e3 + 1e3) % 1e3;
  if (precision === void 0) {
    if (thousandths2 === 0 && instant.ticks === 0) return "";
    const digits3 = pad(thousandths2, 3) + pad(instant.ticks, 4);
    return `.${digits3.replace(/0+$/, "")}`;
  }
  if (precision === 0) return "";
  const digits2 = pad(thousandths2, 3) + pad(instant.ticks, 4);
  return `.${digits2.slice(0, precision).padEnd(precision, "0")}`;
}
function compareInstants(a, b) {
  return a.milliseconds - b.milliseconds || a.ticks - b.ticks;
}
function pad(value, width) {
  return String(value).padStart(width, "0");
}
function utcMilliseconds(year, month, day3, hour, minute, second) {
  const endOfDay = hour === 24 && minute === 0 && second === 0;
  if (month < 1 || month > 12 || day3 < 1 || hour > 23 && !endOfDay || minute > 59 || second > 59)
    return void 0;
  const date = /* @__PURE__ */ new Date(0);
  date.setUTCFullYear(year, month - 1, day3);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day3) return void 0;
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1e3;
}
function offsetMinutes(zone) {
  if (zone === void 0 || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  const offset = hours * 60 + minutes;
  if (minutes > 59 || offset > maximumOffset) return void 0;
  return zone.startsWith("-") ? 0 - offset : offset;
}

// lib/edm/primitive-types/date-time-offset.ts
function toInstant(value) {
  if (value instanceof Date) return instantOfDate(value);
  return typeof value === "string" ? parseInstant(value)?.instant : void 0;
}
function format(instant, precision) {
  const local = instant.milliseconds + instant.offset * 6e4;
  return formatSeconds(local) + formatFraction(instant, precision) + formatOffset(instant.offset);
}
function toValue(instant) {
  return instant.ticks === 0 && instant.offset === 0 ? new Date(instant.milliseconds) : format(instant, void 0);
}
function formatDateTimeOffset(value, precision) {
  const instant = toInstant(value);
  if (instant === void 0) throw new TypeError(`Not an Edm.DateTimeOffset: ${String(value)}`);
  return format(instant, precision);
}
var dateTimeOffsetType = {
  name: "Edm.DateTimeOffset",
  toOperand: toInstant,
  toValue: (operand) => toValue(operand),
  compare: (a, b) => compareInstants(a, b),
  parse(text3) {
    const parsed = parseInstant(text3);
    return parsed?.zone !== void 0 && parsed.fractionDigits <= 7 ? toValue(parsed.instant) : void 0;
  },
  ...literalForm("datetimeoffset'", (value) => formatDateTimeOffset(value), "'")
};
function formatOffset(minutes) {
  if (minutes === 0) return "Z";
  const absolute = Math.abs(minutes);
  const two = (part) => String(part).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

// lib/edm/primitive-types/date-time.ts
function toInstant2(value) {
  if (value instanceof Date) return instantOfDate(value);
  if (typeof value !== "string") return void 0;
  const plain2 = plainMilliseconds(value);
  if (plain2 !== void 0) return new Instant(plain2);
  const instant = parseInstant(value)?.instant;
  return instant === void 0 ? void 0 : new Instant(instant.milliseconds, instant.ticks);
}
function toValue2(instant) {
  return instant.ticks === 0 ? new Date(instant.milliseconds) : formatSeconds(instant.milliseconds) + formatFraction(instant, void 0);
}
function formatDateTime(value, precision) {
  if (precision === 3 && value instanceof Date && isFourDigitYear(value))
    return formatMilliseconds(value.getTime());
  if (precision === 3 && typeof value === "string" && value.length === 23 && plainMilliseconds(value) !== void 0)
    return value;
  const instant = toInstant2(value);
  if (instant === void 0) throw new TypeError(`Not an Edm.DateTime: ${String(value)}`);
  return formatSeconds(instant.milliseconds) + formatFraction(instant, precision);
}
var dateTimeType = {
  name: "Edm.DateTime",
  toOperand: toInstant2,
  toValue: (operand) => toValue2(operand),
  compare: (a, b) => compareInstants(a, b),
  parse(text3) {
    const parsed = parseInstant(text3);
    const plain2 = parsed?.zone === void 0 || parsed.zone === "Z" || parsed.zone === "z";
    return parsed !== void 0 && plain2 && parsed.fractionDigits <= 7 ? toValue2(parsed.instant) : void 0;
  },
  ...literalForm("datetime'", (value) => formatDateTime(value), "'")
};
function isFourDigitYear(date) {
  const milliseconds2 = date.getTime();
  return milliseconds2 >= earliest && milliseconds2 <= latest;
}

// lib/edm/decimal.ts
var Decimal = class {
  /**
   * @param coefficient the digits without the point
   * @param scale how many of the digits stand behind the point, never negative
   */
  constructor(coefficient, scale) {
    this.coefficient = coefficient;
    this.scale = scale;
  }
  coefficient;
  scale;
  /** Plain digits without exponent, with the trailing zeros it was made with: `2.50`. */
  toString() {
    const negative = this.coefficient < 0n;
    const digits2 = (negative ? -this.coefficient : this.coefficient).toString().padStart(this.scale + 1, "0");
    const whole = digits2.slice(0, digits2.length - this.scale);
    const fraction = this.scale === 0 ? "" : `.${digits2.slice(digits2.length - this.scale)}`;
    return `${negative ? "-" : ""}${whole}${fraction}`;
  }
};
var maximumExponent = 400;
var pattern2 = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/;
function parseDecimal(text3) {
  const match = pattern2.exec(text3);
  if (match === null) return void 0;
  const [, sign, whole = "", fraction = "", exponentText] = match;
  const exponent = exponentText === void 0 ? 0 : Number(exponentText);
  if (Math.abs(exponent) > maximumExponent) return void 0;
  const magnitude = BigInt(whole + fraction);
  const coefficient = sign === "-" ? -magnitude : magnitude;
  const scale = fraction.length - exponent;
  return scale >= 0 ? new Decimal(coefficient, scale) : new Decimal(coefficient * power(-scale), 0);
}
function decimalFromNumber(value) {
  return Number.isFinite(value) ? parseDecimal(String(value)) : void 0;
}
function compareDecimals(a, b) {
  const scale = Math.max(a.scale, b.scale);
  const left = rescaled(a, scale);
  const right = rescaled(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}
function truncateDecimal(value) {
  return value.coefficient / power(value.scale);
}
function rescaled(value, scale) {
  return value.scale === scale ? value.coefficient : value.coefficient * power(scale - value.scale);
}
function power(exponent) {
  return 10n ** BigInt(exponent);
}

// lib/edm/primitive-types/decimal.ts
var plainDigits = /^-?\d+(?:\.\d+)?$/;
function toDecimal(value) {
  if (typeof value === "string") return parseDecimal(value);
  if (typeof value === "number") return decimalFromNumber(value);
  return typeof value === "bigint" ? new Decimal(value, 0) : void 0;
}
function formatDecimal(value) {
  if (typeof value === "string" && plainDigits.test(value)) return value;
  if (typeof value === "number" && Math.abs(value) < 1e15) {
    const digits2 = numberText(value);
    if (!digits2.includes("e")) return digits2;
  }
  const decimal = toDecimal(value);
  if (decimal === void 0) throw new TypeError(`Not an Edm.Decimal: ${String(value)}`);
  return decimal.toString();
}
var decimalType = {
  name: "Edm.Decimal",
  toOperand: toDecimal,
  toValue: (operand) => operand.toString(),
  compare: (a, b) => compareDecimals(a, b),
  parse: (text3) => parseDecimal(text3)?.toString(),
  ...literalForm("", formatDecimal, "M")
};

// lib/edm/primitive-types/floating-point.ts
var exactIntegers = 2 ** 24;
var smallestNormal = 2 ** -126;
var enoughDigits = 9;
var number = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,9})?$/;
var special = {
  NaN: Number.NaN,
  INF: Number.POSITIVE_INFINITY,
  "-INF": Number.NEGATIVE_INFINITY
};
var singleType = floatingPointType("Edm.Single", Math.fround, formatSingle, "F");
var doubleType = floatingPointType("Edm.Double", (value) => value, formatDouble, "D");
function floatingPointType(name, narrow, format2, suffix) {
  return {
    name,
    toOperand: (value) => typeof value === "number" ? narrow(value) : void 0,
    toValue: (operand) => operand,
    compare: compareNumbers,
    parse(text3) {
      if (Object.hasOwn(special, text3)) return special[text3];
      if (!number.test(text3)) return void 0;
      const value = narrow(Number(text3));
      return Number.isFinite(value) ? value : void 0;
    },
    ...literalForm("", (value) => format2(value), suffix)
  };
}
function floatingPointText(value, digits2) {
  if (Number.isFinite(value)) return digits2.includes("e") ? digits2.replace("e", "E") : digits2;
  return Number.isNaN(value) ? "NaN" : value > 0 ? "INF" : "-INF";
}
function formatDouble(value) {
  return floatingPointText(value, numberText(value));
}
function formatSingle(value) {
  const single = Math.fround(value);
  return floatingPointText(single, Number.isFinite(single) ? shortestDigits(single) : "");
}
function shortestDigits(single) {
  const size = Math.abs(single);
  if (Number.isInteger(single) && size < exactIntegers) return String(single);
  for (let digits2 = size < smallestNormal ? 1 : 6; digits2 < enoughDigits; digits2++) {
    const rounded = Number(single.toPrecision(digits2));
    if (Math.fround(rounded) === single) return String(rounded);
  }
  return String(Number(single.toPrecision(enoughDigits)));
}

// lib/edm/time-of-day.ts
var ticksPerSecond = 1e7;
var ticksPerDay = 86400 * ticksPerSecond;
var clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?$/;
var duration = /^P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,12}))?S)?)?$/;
function parseClock(text3) {
  const match = clock.exec(text3);
  if (match === null) return void 0;
  const [, hours, minutes, seconds = "0", fraction = ""] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return void 0;
  return ticks(0, Number(hours), Number(minutes), Number(seconds), fraction);
}
function parseDuration(text3) {
  const match = duration.exec(text3);
  if (match === null || text3 === "P" || text3.endsWith("T")) return void 0;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = match;
  const value = ticks(Number(days), Number(hours), Number(minutes), Number(seconds), fraction);
  return value < ticksPerDay ? value : void 0;
}
function formatClock(value) {
  const { hours, minutes, seconds, fraction } = partsOf(value);
  return `${hours}:${minutes}:${seconds}${fraction}`;
}
function formatDuration(value) {
  const { hours, minutes, seconds, fraction } = partsOf(value);
  return `PT${hours}H${minutes}M${seconds}${fraction}S`;
}
function clockFields(value) {
  const whole = Math.floor(value / ticksPerSecond);
  return { hour: Math.floor(whole / 3600), minute: Math.floor(whole / 60) % 60, second: whole % 60 };
}
function ticks(days, hours, minutes, seconds, fraction) {
  const whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  return whole * ticksPerSecond + Number(fraction.slice(0, 7).padEnd(7, "0"));
}
function partsOf(value) {
  const { hour, minute, second } = clockFields(value);
  const rest = value % ticksPerSecond;
  const fraction = rest === 0 ? "" : `.${String(rest).padStart(7, "0").replace(/0+$/, "")}`;
  const two = (part) => String(part).padStart(2, "0");
  return { hours: two(hour), minutes: two(minute), seconds: two(second), fraction };
}

// lib/edm/primitive-types/time.ts
function formatTime(value) {
  const ticks2 = typeof value === "string" ? parseClock(value) : void 0;
  if (ticks2 === void 0) throw new TypeError(`Not an Edm.Time: ${String(value)}`);
  return formatDuration(ticks2);
}
var timeType = {
  name: "Edm.Time",
  toOperand: (value) => typeof value === "string" ? parseClock(value) : void 0,
  toValue: (operand) => formatClock(operand),
  compare: compareNumbers,
  parse(text3) {
    const ticks2 = parseDuration(text3) ?? parseClock(text3);
    return ticks2 === void 0 ? void 0 : formatClock(ticks2);
  },
  ...literalForm("time'", formatTime, "'")
};

// lib/edm/primitive-types/primitive-types.ts
var hexadecimal = /^(?:[0-9a-fA-F]{2})*$/;
var binaryType = {
  name: "Edm.Binary",
  toOperand: (value) => value instanceof Uint8Array ? value : void 0,
  toValue: (operand) => operand,
  compare: (a, b) => compareBytes(a, b),
  parse: (text3) => hexadecimal.test(text3) ? new Uint8Array(Buffer.from(text3, "hex")) : void 0,
  ...literalForm("binary'", (value) => hex(value), "'")
};
var guidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
var guidType = {
  name: "Edm.Guid",
  toOperand: (value) => typeof value === "string" && guidPattern.test(value) ? value.toLowerCase() : void 0,
  toValue: (operand) => operand,
  compare: (a, b) => compareStrings(a, b),
  parse: (text3) => guidPattern.test(text3) ? text3.toLowerCase() : void 0,
  ...literalForm("guid'", (value) => value.toLowerCase(), "'")
};
var booleanTexts = /* @__PURE__ */ new Map([
  ["true", true],
  ["false", false],
  ["1", true],
  ["0", false]
]);
var booleanType = {
  name: "Edm.Boolean",
  toOperand: (value) => typeof value === "boolean" ? value : void 0,
  toValue: (operand) => operand,
  compare: (a, b) => Number(a) - Number(b),
  parse: (text3) => booleanTexts.get(text3),
  ...literalForm("", String, "")
};
var stringType = {
  name: "Edm.String",
  toOperand: (value) => typeof value === "string" ? value : void 0,
  toValue: (operand) => operand,
  compare: (a, b) => compareStrings(a, b),
  parse: (text3) => text3,
  ...literalForm("'", (value) => value.replaceAll("'", "''"), "'")
};
var primitiveTypes = {
  "Edm.Binary": binaryType,
  "Edm.Boolean": booleanType,
  "Edm.Byte": byteType,
  "Edm.DateTime": dateTimeType,
  "Edm.DateTimeOffset": dateTimeOffsetType,
  "Edm.Decimal": decimalType,
  "Edm.Double": doubleType,
  "Edm.Guid": guidType,
  "Edm.Int16": int16Type,
  "Edm.Int32": int32Type,
  "Edm.Int64": int64Type,
  "Edm.SByte": sByteType,
  "Edm.Single": singleType,
  "Edm.String": stringType,
  "Edm.Time": timeType
};
function hex(bytes2) {
  return Buffer.from(bytes2.buffer, bytes2.byteOffset, bytes2.byteLength).toString("hex").toUpperCase();
}

// lib/edm/build/build-property.ts
function buildProperty(name, definition, context2) {
  const place4 = `${context2.place}.${name}`;
  checkPropertyName(name, place4, context2.faults);
  checkFacets(definition, place4, context2.faults);
  const type = resolveType(definition.type, place4, context2);
  if (type === void 0) return void 0;
  const { type: typeName, syndication, documentation, annotations, ...facets } = definition;
  const isKey = context2.key.includes(name);
  const defaultValue = checkedDefault(definition, type, place4, context2.faults);
  return Object.freeze({
    kind: "Property",
    name,
    ...annotated(definition),
    ...facets,
    ...defaultValue === void 0 ? {} : { defaultValue },
    type,
    isKey,
    nullable: isKey ? false : definition.nullable ?? true,
    feedMappings: mappingsOf(name, syndication)
  });
}
function checkedDefault({ defaultValue }, type, place4, faults) {
  if (defaultValue === void 0 || !isPrimitive(type)) return defaultValue;
  const normalized = normalizeDefault(type, defaultValue);
  if (normalized === void 0) {
    faults.add(place4, `the default value '${shortened(defaultValue)}' is not a valid ${type}.`);
  }
  return normalized;
}
function resolveType(name, place4, { complexTypes, faults }) {
  if (isPrimitiveTypeName(name)) return name;
  const complexType2 = complexTypes.find(name);
  if (complexType2 !== void 0) return complexType2;
  const ownHint = name.startsWith("Edm.") ? "" : complexTypes.suggest(name);
  const hint2 = ownHint === "" ? suggestPrimitiveType(name) : ownHint;
  faults.add(place4, `there is no simple or complex type '${name}'.${hint2}`);
  return void 0;
}
function checkFacets(definition, place4, faults) {
  const { maxLength: maxLength2, precision, scale } = definition;
  if (typeof maxLength2 === "number" && !(Number.isInteger(maxLength2) && maxLength2 > 0)) {
    faults.add(place4, `MaxLength must be a positive whole number or 'Max', not ${maxLength2}.`);
  }
  checkWhole("Precision", precision, place4, faults);
  checkWhole("Scale", scale, place4, faults);
  if (precision !== void 0 && scale !== void 0 && scale > precision) {
    faults.add(place4, `Scale ${scale} is larger than Precision ${precision}.`);
  }
}
function checkWhole(facet, value, place4, faults) {
  if (value !== void 0 && !(Number.isInteger(value) && value >= 0)) {
    faults.add(place4, `${facet} must be a whole number, not ${value}.`);
  }
}
function mappingsOf(name, syndication) {
  if (syndication === void 0) return [];
  return [syndication].flat().map((one) => feedMapping(one, [name, ...one.sourcePath?.split("/") ?? []]));
}
function feedMapping(definition, sourcePath) {
  const { target, contentKind = "text", keepInContent = true, namespaceUri, namespacePrefix } = definition;
  return Object.freeze({
    sourcePath,
    targetPath: target,
    contentKind,
    keepInContent,
    ...isSyndicationTarget(target) && namespaceUri === void 0 ? {} : { namespaceUri },
    ...namespacePrefix === void 0 ? {} : { namespacePrefix }
  });
}
function normalizeDefault(type, text3) {
  const { parse } = primitiveTypes[type];
  return [text3, otherForm(type, text3.trim())].find((form) => parse(form) !== void 0);
}
function otherForm(type, text3) {
  const { aroundLiteral, toOperand } = primitiveTypes[type];
  if (type === "Edm.Boolean") return text3.toLowerCase();
  if (type === "Edm.Time" && toOperand(text3) !== void 0) return formatTime(text3);
  if (type === "Edm.Binary" && /^0x/i.test(text3)) return text3.slice(2);
  const [before, after] = aroundLiteral;
  const lower = text3.toLowerCase();
  const isLiteral = lower.startsWith(before) && lower.endsWith(after.toLowerCase());
  return isLiteral ? text3.slice(before.length, text3.length - after.length) : text3;
}

// lib/edm/build/build-complex-types.ts
function buildComplexTypes(schemas, faults) {
  const drafts = /* @__PURE__ */ new Map();
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.complexTypes ?? {})) {
      const type = draftOf(name, schema.namespace, definition);
      checkName(name, type.qualifiedName, faults);
      drafts.set(type.qualifiedName, { type, definition, schema });
    }
  }
  const types = new Map([...drafts].map(([name, { type }]) => [name, type]));
  const context2 = {
    drafts,
    types,
    faults,
    done: /* @__PURE__ */ new Set(),
    open: /* @__PURE__ */ new Set()
  };
  for (const draft of drafts.values()) fill(draft, context2);
  for (const type of types.values()) {
    if (contains(type, type, /* @__PURE__ */ new Set())) faults.add(type.qualifiedName, "the complex type contains itself.");
  }
  return types;
}
function draftOf(name, namespace, definition) {
  return {
    kind: "ComplexType",
    name,
    namespace,
    qualifiedName: `${namespace}.${name}`,
    ...annotated(definition),
    properties: [],
    declaredProperties: [],
    property: () => void 0
  };
}
function fill(draft, context2) {
  if (context2.done.has(draft)) return;
  const { type } = draft;
  context2.open.add(draft);
  const base = baseOf(draft, context2);
  if (base !== void 0) {
    fill(base, context2);
    type.baseType = base.type;
  }
  context2.open.delete(draft);
  context2.done.add(draft);
  const declared = declaredProperties(draft, base?.type, context2);
  const all2 = [...base?.type.properties ?? [], ...declared];
  const byName = new Map(all2.map((property2) => [property2.name, property2]));
  type.declaredProperties = declared;
  type.properties = all2;
  type.property = (name) => byName.get(name);
  Object.freeze(type);
}
function baseOf({ type, definition, schema }, { drafts, faults, open }) {
  if (definition.baseType === void 0) return void 0;
  const scope = new NameScope(schema, drafts);
  const base = scope.find(definition.baseType);
  if (base !== void 0 && !open.has(base)) return base;
  faults.add(
    type.qualifiedName,
    base === void 0 ? `there is no complex type '${definition.baseType}' to derive from.${scope.suggest(definition.baseType)}` : "the type is derived from itself."
  );
  return void 0;
}
function declaredProperties({ type: { qualifiedName: place4 }, definition, schema }, base, { types, faults }) {
  const complexTypes = new NameScope(schema, types);
  const properties = [];
  for (const [name, one] of Object.entries(definition.properties)) {
    const property2 = buildProperty(name, one, { place: place4, key: [], complexTypes, faults });
    if (property2 === void 0) continue;
    properties.push(property2);
    if (base?.property(name) !== void 0) {
      faults.add(`${place4}.${name}`, "the base type has a property of this name already.");
    }
    if (property2.feedMappings.length > 0) {
      faults.add(
        `${place4}.${name}`,
        "a feed customisation belongs to an entity type: write it there with the path to this member."
      );
    }
  }
  return properties;
}
function contains(outer, wanted, seen) {
  if (seen.has(outer)) return false;
  seen.add(outer);
  return outer.properties.some(
    ({ type }) => !isPrimitive(type) && (type === wanted || contains(type, wanted, seen))
  );
}

// lib/edm/build/build-entity-containers.ts
init_suggestions();

// lib/edm/build/build-function-imports.ts
init_suggestions();
function buildFunctionImports(definitions, context2) {
  const functions = /* @__PURE__ */ new Map();
  for (const [name, definition] of Object.entries(definitions)) {
    const place4 = `${context2.place}.${name}`;
    checkName(name, place4, context2.faults);
    if (context2.sets.has(name))
      context2.faults.add(place4, "the container has an entity set of this name already.");
    const returnType = returnTypeOf(definition, place4, context2);
    functions.set(
      name,
      Object.freeze({
        kind: "FunctionImport",
        name,
        path: context2.addressOf(name),
        ...annotated(definition),
        returnType,
        entitySet: entitySetOf(definition, returnType, place4, context2),
        httpMethod: definition.httpMethod,
        parameters: parametersOf(definition, place4, context2)
      })
    );
  }
  return functions;
}
var collection = /^Collection\((.*)\)$/;
function returnTypeOf({ returnType }, place4, { schema, entityTypes, complexTypes, faults }) {
  if (returnType === void 0) return void 0;
  const inner = collection.exec(returnType)?.[1];
  const name = inner ?? returnType;
  const entityScope = new NameScope(schema, entityTypes);
  const complexScope = new NameScope(schema, complexTypes);
  const type = isPrimitiveTypeName(name) ? name : entityScope.find(name) ?? complexScope.find(name);
  if (type === void 0) {
    const all2 = new Map([...entityTypes, ...complexTypes]);
    const ownHint = new NameScope(schema, all2).suggest(name);
    const hint2 = ownHint === "" ? suggestPrimitiveType(name) : ownHint;
    faults.add(place4, `there is no type '${name}' to return.${hint2}`);
    return void 0;
  }
  return Object.freeze({ type, isCollection: inner !== void 0 });
}
function entitySetOf({ entitySet: name }, returnType, place4, { sets, faults }) {
  const returned = returnType?.type;
  const returnsEntities = returned !== void 0 && !isPrimitive(returned) && returned.kind === "EntityType";
  if (name === void 0) {
    if (!returnsEntities) return void 0;
    const candidates = [...sets.values()].filter((set3) => returned.isOrInherits(set3.entityType));
    if (candidates.length !== 1) {
      faults.add(place4, `name the EntitySet that the returned '${returned.name}' belong to.`);
    }
    return candidates[0];
  }
  const set2 = sets.get(name);
  if (set2 === void 0)
    faults.add(place4, `there is no entity set '${name}'.${didYouMean(name, sets.keys())}`);
  else if (returnsEntities && !returned.isOrInherits(set2.entityType)) {
    faults.add(
      place4,
      `the function returns '${returned.name}', but '${name}' holds '${set2.entityType.name}'.`
    );
  }
  return set2;
}
function parametersOf({ parameters = {} }, place4, { faults }) {
  const built = [];
  for (const [name, definition] of Object.entries(parameters)) {
    checkName(name, `${place4}.${name}`, faults);
    const parameter2 = parameterOf(name, definition, `${place4}.${name}`, faults);
    if (parameter2 !== void 0) built.push(parameter2);
  }
  return built;
}
function parameterOf(name, definition, place4, faults) {
  const { type, nullable = true, documentation, annotations, ...rest } = definition;
  if (!isPrimitiveTypeName(type)) {
    faults.add(place4, `a parameter must be of a simple type, not '${type}'.${suggestPrimitiveType(type)}`);
    return void 0;
  }
  return Object.freeze({ name, ...annotated(definition), ...rest, type, nullable });
}

// lib/edm/build/build-entity-containers.ts
function buildEntityContainers(schema, defaultContainer, context2) {
  return Object.entries(containersOf(schema)).map(([name, definition]) => {
    const qualifiedName = `${schema.namespace}.${name}`;
    checkName(name, qualifiedName, context2.faults);
    return buildContainer(name, definition, qualifiedName === defaultContainer, schema, context2);
  });
}
function containersOf(schema) {
  const { entityContainer, entityContainers = {} } = schema;
  if (entityContainer === void 0) return entityContainers;
  const { name = "Container", ...definition } = entityContainer;
  return { [name]: definition, ...entityContainers };
}
function buildContainer(name, definition, isDefault, schema, context2) {
  const qualifiedName = `${schema.namespace}.${name}`;
  const addressOf = (member) => isDefault ? member : `${name}.${member}`;
  const sets = buildEntitySets(definition, { container: qualifiedName, addressOf, schema, context: context2 });
  const declared = buildAssociationSets(definition, qualifiedName, sets, schema, context2);
  const byType = new SetsByType(sets.values());
  const isLeftOut = definition.associationSets === void 0 && schema.xmlNamespace === void 0;
  const derived = isLeftOut ? derivedAssociationSets(context2.associations.values(), sets, byType) : [];
  const associationSets = [...declared, ...derived];
  const targets = new NavigationTargets(associationSets, byType);
  for (const set2 of sets.values()) {
    set2.targetOf = targets.finderFrom(set2);
    Object.freeze(set2);
  }
  const functions = buildFunctionImports(definition.functionImports ?? {}, {
    ...context2,
    schema,
    sets,
    place: qualifiedName,
    addressOf
  });
  return Object.freeze({
    name,
    namespace: schema.namespace,
    qualifiedName,
    ...annotated(definition),
    isDefault,
    extends: definition.extends,
    entitySets: [...sets.values()],
    associationSets,
    functionImports: [...functions.values()],
    entitySet: (one) => sets.get(one),
    functionImport: (one) => functions.get(one)
  });
}
function buildEntitySets(definition, { container, addressOf, schema, context: context2 }) {
  const scope = new NameScope(schema, context2.entityTypes);
  const sets = /* @__PURE__ */ new Map();
  for (const [name, one] of Object.entries(definition.entitySets ?? {})) {
    const place4 = `${container}.${name}`;
    checkName(name, place4, context2.faults);
    const entityType2 = scope.find(one.entityType);
    if (entityType2 === void 0) {
      const hint2 = scope.suggest(one.entityType);
      context2.faults.add(place4, `there is no entity type '${one.entityType}'.${hint2}`);
      continue;
    }
    sets.set(name, {
      kind: "EntitySet",
      name,
      container,
      path: addressOf(name),
      ...annotated(one),
      entityType: entityType2,
      targetOf: () => void 0
    });
  }
  return sets;
}
function buildAssociationSets(definition, container, sets, schema, context2) {
  const scope = new NameScope(schema, context2.associations);
  const built = [];
  for (const [name, one] of Object.entries(definition.associationSets ?? {})) {
    const place4 = `${container}.${name}`;
    checkName(name, place4, context2.faults);
    const association2 = scope.find(one.association);
    if (association2 === void 0) {
      const hint2 = scope.suggest(one.association);
      context2.faults.add(place4, `there is no association '${one.association}'.${hint2}`);
      continue;
    }
    const [first, second] = buildAssociationSetEnds(one, association2, sets, place4, context2.faults);
    if (first === void 0 || second === void 0) continue;
    built.push(Object.freeze({ name, ...annotated(one), association: association2, ends: [first, second] }));
  }
  return built;
}
function buildAssociationSetEnds(definition, association2, sets, place4, faults) {
  const roles = association2.ends.map((end) => end.role);
  const ends = [];
  for (const [role, one] of Object.entries(definition.ends)) {
    const { entitySet: setName, ...rest } = typeof one === "string" ? { entitySet: one } : one;
    const entitySet = sets.get(setName);
    const end = association2.ends.find((one2) => one2.role === role) ?? unnamedEnd(association2, role, entitySet);
    if (end === void 0) {
      faults.add(
        place4,
        `the association '${association2.name}' has no role '${role}'.${didYouMean(role, roles)}`
      );
    } else if (entitySet === void 0) {
      faults.add(place4, `there is no entity set '${setName}'.${didYouMean(setName, sets.keys())}`);
    } else if (!entitySet.entityType.isOrInherits(end.type) && !end.type.isOrInherits(entitySet.entityType)) {
      faults.add(
        place4,
        `the role '${role}' is of type '${end.type.name}', but '${setName}' holds another type.`
      );
    } else if (ends.some((other) => other.role === end.role)) {
      faults.add(place4, `both ends have the role '${end.role}'.`);
    } else {
      ends.push(Object.freeze({ role: end.role, ...annotated(rest), entitySet }));
    }
  }
  if (Object.keys(definition.ends).length !== 2) {
    faults.add(place4, `an association set names an entity set for both roles, '${roles.join("' and '")}'.`);
  }
  return ends;
}
function unnamedEnd(association2, role, set2) {
  if (set2 === void 0 || role !== set2.name) return void 0;
  const candidates = association2.ends.filter((end) => set2.entityType.isOrInherits(end.type));
  return candidates.length === 1 ? candidates[0] : void 0;
}
function derivedAssociationSets(associations, sets, byType) {
  const names = new Set(sets.keys());
  const derived = [];
  for (const association2 of associations) {
    const [first, second] = association2.ends.map((end) => onlySetOf(end, byType));
    if (first === void 0 || second === void 0) continue;
    const name = names.has(association2.name) ? `${association2.name}Set` : association2.name;
    if (names.has(name)) continue;
    names.add(name);
    derived.push(
      Object.freeze({ name, ...annotated({}), association: association2, ends: Object.freeze([first, second]) })
    );
  }
  return derived;
}
function onlySetOf({ role, type }, byType) {
  const entitySet = byType.onlyFor(type);
  return entitySet && Object.freeze({ role, ...annotated({}), entitySet });
}
var NavigationTargets = class {
  constructor(associationSets, sets) {
    this.sets = sets;
    for (const one of associationSets) {
      const same2 = this.associationSets.get(one.association);
      if (same2 === void 0) this.associationSets.set(one.association, [one]);
      else same2.push(one);
    }
  }
  sets;
  associationSets = /* @__PURE__ */ new Map();
  /** The target from one set, looked up once for each property. */
  finderFrom(source) {
    const known3 = /* @__PURE__ */ new Map();
    return (navigation) => {
      if (!known3.has(navigation)) known3.set(navigation, this.find(source, navigation));
      return known3.get(navigation);
    };
  }
  find(source, { association: association2, fromEnd, toEnd, targetType }) {
    const matching2 = this.associationSets.get(association2)?.find(({ ends }) => ends.some((end) => end.role === fromEnd.role && end.entitySet === source));
    if (matching2 === void 0) return this.sets.onlyFor(targetType);
    return setInRole(matching2, toEnd.role);
  }
};
var SetsByType = class {
  sets = /* @__PURE__ */ new Map();
  constructor(sets) {
    for (const set2 of sets) {
      const same2 = this.sets.get(set2.entityType);
      if (same2 === void 0) this.sets.set(set2.entityType, [set2]);
      else same2.push(set2);
    }
  }
  /** The one set that entities of a type can be in; undefined when there are several, or none. */
  onlyFor(type) {
    const found = [];
    for (let one = type; one !== void 0; one = one.baseType) {
      found.push(...this.sets.get(one) ?? []);
    }
    return found.length === 1 ? found[0] : void 0;
  }
};

// lib/edm/build/build-entity-types.ts
init_suggestions();
function buildEntityTypes(schemas, complexTypes, faults) {
  const drafts = /* @__PURE__ */ new Map();
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.entityTypes ?? {})) {
      const type = draftOf2(name, schema.namespace, definition);
      checkName(name, type.qualifiedName, faults);
      drafts.set(type.qualifiedName, { type, definition, schema });
    }
  }
  const done = /* @__PURE__ */ new Set();
  for (const draft of drafts.values()) fill2(draft, { drafts, complexTypes, faults, done, open: /* @__PURE__ */ new Set() });
  return drafts;
}
function draftOf2(name, namespace, definition) {
  return {
    kind: "EntityType",
    name,
    namespace,
    qualifiedName: `${namespace}.${name}`,
    ...annotated(definition),
    abstract: definition.abstract ?? false,
    openType: definition.openType ?? false,
    hasStream: definition.hasStream ?? false,
    declaresStream: definition.hasStream ?? false,
    properties: [],
    declaredProperties: [],
    key: [],
    navigationProperties: [],
    declaredNavigationProperties: [],
    derivedTypes: [],
    concurrencyTokens: [],
    feedMappings: [],
    declaredFeedMappings: [],
    property: () => void 0,
    navigationProperty: () => void 0,
    isOrInherits: () => false
  };
}
function fill2(draft, context2) {
  if (context2.done.has(draft)) return;
  context2.open.add(draft);
  const base = baseOf2(draft, context2);
  if (base !== void 0) fill2(base, context2);
  context2.open.delete(draft);
  context2.done.add(draft);
  inherit(draft.type, base?.type);
  fillProperties(draft, context2);
  fillKey(draft, base?.type, context2);
  draft.type.declaredFeedMappings = (draft.definition.feedMappings ?? []).map(
    (one) => feedMapping(one, one.sourcePath.split("/"))
  );
  const own = draft.type.declaredProperties.flatMap((property2) => property2.feedMappings);
  draft.type.feedMappings = [...base?.type.feedMappings ?? [], ...own, ...draft.type.declaredFeedMappings];
}
function baseOf2({ type, definition, schema }, context2) {
  if (definition.baseType === void 0) return void 0;
  const scope = new NameScope(schema, context2.drafts);
  const base = scope.find(definition.baseType);
  if (base === void 0) {
    const hint2 = scope.suggest(definition.baseType);
    context2.faults.add(
      type.qualifiedName,
      `there is no entity type '${definition.baseType}' to derive from.${hint2}`
    );
    return void 0;
  }
  if (context2.open.has(base)) {
    context2.faults.add(type.qualifiedName, "the type is derived from itself.");
    return void 0;
  }
  return base;
}
function inherit(type, base) {
  type.isOrInherits = (ancestor) => {
    for (let one = type; one !== void 0; one = one.baseType) {
      if (one === ancestor) return true;
    }
    return false;
  };
  if (base === void 0) return;
  type.baseType = base;
  type.hasStream ||= base.hasStream;
  for (let one = base; one !== void 0; one = one.baseType) {
    ;
    one.derivedTypes = [...one.derivedTypes, type];
  }
}
function fillProperties({ type, definition, schema }, context2) {
  const inherited = type.baseType?.properties ?? [];
  const key = definition.key ?? [];
  const complexTypes = new NameScope(schema, context2.complexTypes);
  const declared = [];
  for (const [name, one] of Object.entries(definition.properties ?? {})) {
    const property2 = buildProperty(name, one, {
      place: type.qualifiedName,
      key,
      complexTypes,
      faults: context2.faults
    });
    if (property2 === void 0) continue;
    if (type.baseType?.property(name) !== void 0) {
      context2.faults.add(
        `${type.qualifiedName}.${name}`,
        "the base type has a property of this name already."
      );
    }
    declared.push(property2);
  }
  const all2 = [...inherited, ...declared];
  const byName = new Map(all2.map((property2) => [property2.name, property2]));
  type.declaredProperties = declared;
  type.properties = all2;
  type.property = (name) => byName.get(name);
  type.concurrencyTokens = all2.filter(
    (property2) => property2.concurrencyMode === "Fixed" && isPrimitive(property2.type)
  );
}
function fillKey({ type, definition }, base, context2) {
  const place4 = type.qualifiedName;
  if (definition.baseType !== void 0) {
    if (definition.key !== void 0)
      context2.faults.add(place4, "a derived type takes its key from the base type.");
    type.key = base?.key ?? [];
    return;
  }
  if (definition.key === void 0 || definition.key.length === 0) {
    context2.faults.add(place4, 'an entity type needs a key: name its properties, for instance ["ID"].');
  }
  const key = [];
  for (const name of definition.key ?? []) {
    const property2 = type.property(name);
    if (property2 === void 0) {
      const hint2 = didYouMean(name, Object.keys(definition.properties ?? {}));
      context2.faults.add(place4, `the key names a property '${name}' that does not exist.${hint2}`);
    } else if (!isPrimitive(property2.type)) {
      context2.faults.add(place4, `the key property '${name}' must be of a simple type.`);
    } else if (key.includes(property2)) {
      context2.faults.add(place4, `the key names the property '${name}' twice.`);
    } else {
      key.push(property2);
    }
  }
  type.key = key;
}
function finishEntityType(type, declared) {
  const all2 = [...type.baseType?.navigationProperties ?? [], ...declared];
  const byName = new Map(all2.map((navigation) => [navigation.name, navigation]));
  type.declaredNavigationProperties = declared;
  type.navigationProperties = all2;
  type.navigationProperty = (name) => byName.get(name);
  Object.freeze(type);
}

// lib/edm/build/check-feed-mappings.ts
init_suggestions();
var formattedTargets = /* @__PURE__ */ new Set([
  "SyndicationTitle",
  "SyndicationSummary",
  "SyndicationRights"
]);
var pathPattern = /^[^\s/@]+(?:\/[^\s/@]+)*(?:\/@[^\s/@]+)?$|^@[^\s/@]+$/u;
function checkFeedMappings(type, faults) {
  const targets = /* @__PURE__ */ new Set();
  const sources = /* @__PURE__ */ new Set();
  for (const mapping of type.feedMappings) {
    const source = mapping.sourcePath.join("/");
    const place4 = `${type.qualifiedName}.${source}`;
    checkSource(type, mapping, place4, faults);
    checkTarget(mapping, place4, faults);
    const target = `${mapping.namespaceUri ?? ""} ${mapping.targetPath}`;
    if (targets.has(target))
      faults.add(place4, `'${mapping.targetPath}' is already the target of another property.`);
    if (sources.has(source)) faults.add(place4, "a property can have only one feed customisation.");
    targets.add(target);
    sources.add(source);
  }
}
function checkSource(type, mapping, place4, faults) {
  const property2 = propertyAt(type, mapping.sourcePath);
  if (property2 === void 0) {
    faults.add(place4, `the feed customisation names a property that '${type.name}' does not have.`);
  } else if (!isPrimitive(property2.type)) {
    faults.add(
      place4,
      `a feed customisation of a complex property needs FC_SourcePath, the path to one of its members.`
    );
  } else if (mapping.contentKind !== "text" && property2.type !== "Edm.String") {
    faults.add(place4, `FC_ContentKind '${mapping.contentKind}' is for Edm.String, not for ${property2.type}.`);
  }
}
function checkTarget(mapping, place4, faults) {
  const { targetPath, contentKind, namespaceUri, namespacePrefix } = mapping;
  if (!isSyndicationTarget(targetPath)) {
    checkCustomTarget(mapping, place4, faults);
    return;
  }
  if (namespaceUri !== void 0 || namespacePrefix !== void 0) {
    faults.add(
      place4,
      `the target '${targetPath}' is an Atom element: it takes no FC_NsUri and no FC_NsPrefix.`
    );
  }
  if (contentKind !== "text" && !formattedTargets.has(targetPath)) {
    faults.add(
      place4,
      `FC_ContentKind '${contentKind}' is for title, summary and rights, not for '${targetPath}'.`
    );
  }
}
function checkCustomTarget(mapping, place4, faults) {
  const { targetPath, contentKind, namespaceUri } = mapping;
  if (namespaceUri === void 0 || namespaceUri === "") {
    faults.add(
      place4,
      `the target '${targetPath}' is no Atom element and therefore needs FC_NsUri.${didYouMean(targetPath, syndicationTargets)}`
    );
  }
  if (!pathPattern.test(targetPath))
    faults.add(place4, `'${targetPath}' is not a path of elements such as 'geo/@lat'.`);
  if (contentKind !== "text") faults.add(place4, `a custom target can only hold text, not '${contentKind}'.`);
}
function propertyAt(type, path2) {
  const [first, ...rest] = path2;
  let property2 = first === void 0 ? void 0 : type.property(first);
  for (const name of rest) {
    if (property2 === void 0 || isPrimitive(property2.type)) return void 0;
    property2 = property2.type.property(name);
  }
  return property2;
}

// lib/edm/build/build-model.ts
init_suggestions();
function buildModel(definition, faults) {
  const schemas = schemasOf(definition, faults);
  checkTypeNames(schemas, faults);
  const complexTypes = buildComplexTypes(schemas, faults);
  const drafts = buildEntityTypes(schemas, complexTypes, faults);
  const entityTypes = new Map([...drafts].map(([name, { type }]) => [name, type]));
  const associations = buildAssociations(schemas, entityTypes, faults);
  buildNavigationProperties(drafts, associations, faults);
  for (const type of entityTypes.values()) checkFeedMappings(type, faults);
  const defaultContainer = defaultContainerOf(schemas, faults);
  const context2 = { entityTypes, complexTypes, associations, faults };
  const built = schemas.map((schema) => {
    const own = (all2) => [...all2.values()].filter((one) => one.namespace === schema.namespace);
    return {
      namespace: schema.namespace,
      alias: schema.alias,
      ...annotated(schema),
      xmlNamespace: schema.xmlNamespace ?? csdl2Namespace,
      usings: (schema.usings ?? []).map((using) => ({ ...using, ...annotated(using) })),
      entityTypes: own(entityTypes),
      complexTypes: own(complexTypes),
      associations: own(associations),
      entityContainers: buildEntityContainers(schema, defaultContainer, context2)
    };
  });
  faults.check();
  const entityContainers = built.flatMap((schema) => schema.entityContainers);
  return deepFreeze({
    kind: "EdmModel",
    ...annotated(definition.edmx),
    dataServiceVersion: definition.dataServiceVersion ?? versionNeeded([...entityTypes.values()]),
    dataServices: annotated(definition.dataServices),
    schemas: built,
    defaultContainer: entityContainers.find((one) => one.isDefault),
    entityContainers,
    entityTypes,
    complexTypes,
    associations
  });
}
function schemasOf(definition, faults) {
  const { schemas = [], namespace, edmx, dataServices, ...single } = definition;
  const all2 = namespace === void 0 ? schemas : [{ ...single, namespace }, ...schemas];
  if (all2.length === 0)
    faults.add("model", "the model is empty: give a 'namespace' with its types, or 'schemas'.");
  const seen = /* @__PURE__ */ new Set();
  for (const schema of all2) {
    if (seen.has(schema.namespace)) faults.add(schema.namespace, "two schemas have this namespace.");
    seen.add(schema.namespace);
  }
  return all2;
}
function checkTypeNames(schemas, faults) {
  for (const { namespace, entityTypes = {}, complexTypes = {}, associations = {} } of schemas) {
    const seen = /* @__PURE__ */ new Set();
    for (const name of [entityTypes, complexTypes, associations].flatMap((one) => Object.keys(one))) {
      if (seen.has(name)) faults.add(`${namespace}.${name}`, "the schema has two types of this name.");
      seen.add(name);
    }
  }
}
function defaultContainerOf(schemas, faults) {
  const all2 = schemas.flatMap(
    (schema) => Object.entries(containersOf(schema)).map(([name, { default: marked2 }]) => ({
      name: `${schema.namespace}.${name}`,
      marked: marked2
    }))
  );
  const marked = all2.filter((one) => one.marked === true);
  if (all2.length === 0) faults.add("model", "there is no entity container, and so there is nothing to serve.");
  else if (marked.length > 1) {
    faults.add(
      "model",
      `only one of ${marked.map(({ name }) => `'${name}'`).join(", ")} can be the default container.`
    );
  } else if (marked.length === 0 && all2.length > 1) {
    faults.add(
      "model",
      `one of ${all2.map(({ name }) => `'${name}'`).join(", ")} must be the default container.`
    );
  }
  return (marked[0] ?? all2[0])?.name;
}
function versionNeeded(types) {
  return types.some(({ feedMappings }) => feedMappings.some((mapping) => !mapping.keepInContent)) ? "2.0" : "1.0";
}
function buildNavigationProperties(drafts, associations, faults) {
  const built = [];
  const finished = /* @__PURE__ */ new Set();
  const finish = (draft) => {
    if (finished.has(draft.type)) return;
    finished.add(draft.type);
    const base = draft.type.baseType && drafts.get(draft.type.baseType.qualifiedName);
    if (base !== void 0) finish(base);
    const own = navigationPropertiesOf(draft, associations, faults);
    built.push(...own);
    finishEntityType(draft.type, own);
  };
  for (const draft of drafts.values()) finish(draft);
  findPartners(built);
}
function findPartners(navigations) {
  const firstFrom = /* @__PURE__ */ new Map();
  for (const navigation of navigations) {
    const { fromEnd, toEnd } = navigation;
    if (fromEnd !== toEnd && !firstFrom.has(fromEnd)) firstFrom.set(fromEnd, navigation);
  }
  for (const navigation of navigations) {
    navigation.partner = firstFrom.get(navigation.toEnd);
    Object.freeze(navigation);
  }
}
function navigationPropertiesOf({ type, definition, schema }, associations, faults) {
  const scope = new NameScope(schema, associations);
  const built = [];
  for (const { name } of type.declaredProperties) {
    if (type.baseType?.navigationProperty(name) === void 0) continue;
    faults.add(
      `${type.qualifiedName}.${name}`,
      "the base type has a navigation property of this name already."
    );
  }
  for (const [name, one] of Object.entries(definition.navigationProperties ?? {})) {
    const place4 = `${type.qualifiedName}.${name}`;
    checkPropertyName(name, place4, faults);
    if (type.property(name) !== void 0 || type.baseType?.navigationProperty(name) !== void 0) {
      faults.add(place4, "the type has another property of this name.");
    }
    const navigation = buildNavigationProperty(name, one, { type, scope, place: place4, faults });
    if (navigation !== void 0) built.push(navigation);
  }
  return built;
}
function buildNavigationProperty(name, definition, { type, scope, place: place4, faults }) {
  const association2 = scope.find(definition.relationship);
  if (association2 === void 0) {
    const hint2 = scope.suggest(definition.relationship);
    faults.add(place4, `there is no association '${definition.relationship}'.${hint2}`);
    return void 0;
  }
  const fromEnd = endWithRole(association2, definition.fromRole, place4, faults);
  const toEnd = endWithRole(association2, definition.toRole, place4, faults);
  if (fromEnd === void 0 || toEnd === void 0) return void 0;
  if (fromEnd === toEnd) faults.add(place4, "FromRole and ToRole must be different roles.");
  if (!type.isOrInherits(fromEnd.type)) {
    faults.add(place4, `the role '${fromEnd.role}' belongs to '${fromEnd.type.name}', not to '${type.name}'.`);
  }
  return {
    kind: "NavigationProperty",
    name,
    ...annotated(definition),
    association: association2,
    fromEnd,
    toEnd,
    targetType: toEnd.type,
    isCollection: toEnd.multiplicity === "*",
    partner: void 0
  };
}
function endWithRole(association2, role, place4, faults) {
  const end = association2.ends.find((one) => one.role === role);
  if (end === void 0) {
    const roles = association2.ends.map((one) => one.role);
    faults.add(
      place4,
      `the association '${association2.name}' has no role '${role}'.${didYouMean(role, roles)}`
    );
  }
  return end;
}
function deepFreeze(value) {
  const seen = /* @__PURE__ */ new Set();
  const open = [];
  const add = (member) => {
    if (typeof member !== "object" || member === null || seen.has(member)) return;
    seen.add(member);
    open.push(member);
  };
  add(value);
  for (let one = open.pop(); one !== void 0; one = open.pop()) {
    if (one instanceof Map) one.forEach(add);
    else if (isPlain(one)) Object.values(Object.freeze(one)).forEach(add);
  }
  return value;
}
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}

// lib/edm/build/model-faults.ts
var ModelError = class extends Error {
  /** One sentence each, with the place in front: `NW.Product: ...`. */
  faults;
  constructor(faults) {
    const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
    super(`The model has ${count}:
${faults.map((fault3) => `- ${fault3}`).join("\n")}`);
    this.name = "ModelError";
    this.faults = faults;
  }
};
var ModelFaults = class {
  faults = [];
  /** What was left out, one sentence each. */
  notices = [];
  /**
   * @param place what the fault belongs to: `NW.Product.Name`
   * @param message what is wrong and what to write instead, a whole sentence
   */
  add(place4, message) {
    this.faults.push(`${place4}: ${message}`);
  }
  get any() {
    return this.faults.length > 0;
  }
  /** @throws ModelError when there is a fault */
  check() {
    if (this.any) throw new ModelError([...new Set(this.faults)]);
  }
};

// lib/xml/parse-xml.ts
import { SaxesParser } from "saxes";
var maximumDepth = 100;
var XmlError = class extends Error {
  name = "XmlError";
};
function parseXml(text3) {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const open = [];
  let root2;
  parser.on("error", (error) => {
    throw new XmlError(`The document is not well-formed XML: ${error.message}`);
  });
  parser.on("doctype", () => {
    throw new XmlError("Document type declarations are not accepted.");
  });
  parser.on("opentag", (tag) => {
    if (open.length === maximumDepth) {
      throw new XmlError(`Elements are nested deeper than ${maximumDepth}.`);
    }
    const element3 = elementOf(tag);
    open.at(-1)?.children.push(element3);
    root2 ??= element3;
    open.push(element3);
  });
  parser.on("closetag", () => {
    open.pop();
  });
  const addText = (piece) => {
    const children = open.at(-1)?.children;
    const last = children?.at(-1);
    if (typeof last === "string") children?.splice(-1, 1, last + piece);
    else if (piece !== "") children?.push(piece);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text3).close();
  if (root2 === void 0) throw new XmlError("The document has no element.");
  return root2;
}
function elementOf({ uri, prefix: prefix3, local, attributes }) {
  const kept = [];
  for (const one of Object.values(attributes)) {
    if (one.uri === xmlnsNamespace) continue;
    kept.push({ namespace: one.uri, prefix: one.prefix, name: one.local, value: one.value });
  }
  return { namespace: uri, prefix: prefix3, name: local, attributes: kept, children: [] };
}

// lib/xml/xml-element.ts
function attributeOf(element3, name, namespace = "") {
  return element3.attributes.find((one) => one.name === name && one.namespace === namespace)?.value;
}
function childElements(element3) {
  return element3.children.filter((child) => typeof child !== "string");
}
function textOf(element3) {
  return element3.children.map((child) => typeof child === "string" ? child : textOf(child)).join("");
}

// lib/edm/build/definition-shape.ts
init_suggestions();

// lib/util/is-record.ts
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// lib/edm/build/definition-shape.ts
function primitive(kind, article) {
  return (value, place4, context2) => {
    if (typeof value !== kind) refuse(`must be ${article}`, value, place4, context2);
  };
}
var text = primitive("string", "a string");
var flag = primitive("boolean", "true or false");
var number2 = primitive("number", "a number");
function oneOf(...choices) {
  const names = choices.map((one) => `'${one}'`);
  const expected = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return (value, place4, { faults }) => {
    if (choices.some((one) => one === value)) return;
    const hint2 = typeof value === "string" ? didYouMean(value, choices) : "";
    faults.add(place4, `must be ${expected}, not ${describe(value)}.${hint2}`);
  };
}
function matching(pattern3, expected) {
  return (value, place4, context2) => {
    text(value, place4, context2);
    if (typeof value === "string" && !pattern3.test(value)) {
      context2.faults.add(place4, `must be ${expected}, not ${describe(value)}.`);
    }
  };
}
function either(first, one, other) {
  return (value, place4, context2) => {
    if (first(value)) one(value, place4, context2);
    else other(value, place4, context2);
  };
}
function listOf(item) {
  return (value, place4, context2) => {
    if (!Array.isArray(value)) {
      refuse("must be an array", value, place4, context2);
      return;
    }
    for (const [index, one] of value.entries()) item(one, `${place4}[${index}]`, context2);
  };
}
function recordOf(member) {
  return (value, place4, context2) => {
    if (!isRecord(value)) {
      refuse("must be an object of members by name", value, place4, context2);
      return;
    }
    for (const [name, one] of Object.entries(value)) member(one, joined(place4, name), context2);
  };
}
function objectOf(members, ...required) {
  const shapes = new Map(Object.entries(members));
  return (value, place4, context2) => {
    if (!isRecord(value)) {
      refuse("must be an object", value, place4, context2);
      return;
    }
    for (const name of required) {
      if (value[name] === void 0) fault(`needs a member '${name}'.`, place4, context2);
    }
    for (const [name, one] of Object.entries(value)) {
      const shape = shapes.get(name);
      if (shape === void 0) {
        const hint2 = misplacedHint(name, shapes) ?? didYouMean(name, shapes.keys());
        context2.faults.add(place4 === "" ? "model" : place4, `there is no member '${name}' here.${hint2}`);
      } else if (one !== void 0) {
        shape(one, joined(place4, name), context2);
      }
    }
  };
}
var holders = /* @__PURE__ */ new Map([
  ["entitySets", "entityContainer"],
  ["associationSets", "entityContainer"],
  ["functionImports", "entityContainer"]
]);
function misplacedHint(name, shapes) {
  const holder = holders.get(name);
  if (holder === void 0 || !shapes.has(holder)) return void 0;
  return ` It belongs in '${holder}': ${holder}: { ${name}: { \u2026 } }.`;
}
function lazy(shape) {
  return (value, place4, context2) => shape()(value, place4, context2);
}
function refuse(message, value, place4, context2) {
  fault(`${message}, not ${describe(value)}.`, place4, context2);
}
function fault(message, place4, context2) {
  context2.faults.add(place4 === "" ? "model" : place4, message);
  context2.broken = true;
}
function describe(value) {
  if (typeof value === "string") return `'${value}'`;
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}
function joined(place4, name) {
  return place4 === "" ? name : `${place4}.${name}`;
}

// lib/edm/build/check-definition.ts
var xmlName = matching(/^[\p{L}_][\p{L}\p{N}\p{M}_.·-]*$/u, "a name of XML");
var prefix2 = either((value) => value === "", text, xmlName);
var attribute = objectOf(
  { namespace: text, prefix: prefix2, name: xmlName, value: text },
  "namespace",
  "prefix",
  "name",
  "value"
);
var element = objectOf(
  {
    namespace: text,
    prefix: prefix2,
    name: xmlName,
    attributes: listOf(attribute),
    children: listOf(
      either(
        (one) => typeof one === "string",
        text,
        lazy(() => element)
      )
    )
  },
  "namespace",
  "prefix",
  "name",
  "attributes",
  "children"
);
var annotated2 = {
  documentation: objectOf({ summary: text, longDescription: text }),
  annotations: objectOf({
    attributes: listOf(attribute),
    elements: listOf(element),
    parts: recordOf(lazy(() => objectOf(annotated2, "annotations")))
  })
};
var maxLength = either((value) => value === "Max", text, number2);
var feedMappingMembers = {
  target: text,
  sourcePath: text,
  contentKind: oneOf("text", "html", "xhtml"),
  keepInContent: flag,
  namespaceUri: text,
  namespacePrefix: text
};
var feedMapping2 = objectOf(feedMappingMembers, "target");
var property = objectOf(
  {
    ...annotated2,
    type: text,
    nullable: flag,
    defaultValue: text,
    maxLength,
    fixedLength: flag,
    unicode: flag,
    precision: number2,
    scale: number2,
    collation: text,
    concurrencyMode: oneOf("None", "Fixed"),
    mimeType: text,
    storeGeneratedPattern: oneOf("None", "Identity", "Computed"),
    syndication: either((value) => Array.isArray(value), listOf(feedMapping2), feedMapping2)
  },
  "type"
);
var navigationProperty = objectOf(
  { ...annotated2, relationship: text, fromRole: text, toRole: text },
  "relationship",
  "fromRole",
  "toRole"
);
var entityType = objectOf({
  ...annotated2,
  key: listOf(text),
  baseType: text,
  abstract: flag,
  openType: flag,
  hasStream: flag,
  properties: recordOf(property),
  navigationProperties: recordOf(navigationProperty),
  feedMappings: listOf(objectOf(feedMappingMembers, "target", "sourcePath"))
});
var complexType = objectOf(
  { ...annotated2, baseType: text, properties: recordOf(property) },
  "properties"
);
var constraintRole2 = objectOf(
  { role: text, properties: listOf(text) },
  "role",
  "properties"
);
var association = objectOf(
  {
    ...annotated2,
    ends: recordOf(
      objectOf(
        {
          ...annotated2,
          type: text,
          multiplicity: oneOf(...multiplicities),
          onDelete: oneOf("None", "Cascade")
        },
        "type",
        "multiplicity"
      )
    ),
    referentialConstraint: objectOf(
      { ...annotated2, principal: constraintRole2, dependent: constraintRole2 },
      "principal",
      "dependent"
    )
  },
  "ends"
);
var entitySetOfEnd = objectOf(
  { ...annotated2, entitySet: text },
  "entitySet"
);
var associationSet = objectOf(
  {
    ...annotated2,
    association: text,
    ends: recordOf(either((value) => typeof value === "string", text, entitySetOfEnd))
  },
  "association",
  "ends"
);
var functionImport = objectOf({
  ...annotated2,
  returnType: text,
  entitySet: text,
  httpMethod: oneOf("GET", "POST"),
  parameters: recordOf(
    objectOf(
      {
        ...annotated2,
        type: text,
        nullable: flag,
        mode: oneOf("In", "Out", "InOut"),
        maxLength,
        precision: number2,
        scale: number2
      },
      "type"
    )
  )
});
var containerMembers = {
  ...annotated2,
  default: flag,
  extends: text,
  entitySets: recordOf(objectOf({ ...annotated2, entityType: text }, "entityType")),
  associationSets: recordOf(associationSet),
  functionImports: recordOf(functionImport)
};
var schemaMembers = {
  ...annotated2,
  namespace: text,
  alias: text,
  xmlNamespace: text,
  usings: listOf(
    objectOf(
      { ...annotated2, namespace: text, alias: text },
      "namespace",
      "alias"
    )
  ),
  entityTypes: recordOf(entityType),
  complexTypes: recordOf(complexType),
  associations: recordOf(association),
  entityContainer: objectOf({
    ...containerMembers,
    name: text
  }),
  entityContainers: recordOf(objectOf(containerMembers))
};
var model = objectOf({
  ...schemaMembers,
  dataServiceVersion: oneOf("1.0", "2.0", "3.0"),
  schemas: listOf(objectOf(schemaMembers, "namespace")),
  dataServices: objectOf(annotated2),
  edmx: objectOf(annotated2)
});
function checkDefinition(definition, faults) {
  const context2 = { faults, broken: false };
  model(definition, "", context2);
  return !context2.broken;
}

// lib/edm/define-model.ts
function defineModel(definition) {
  const faults = new ModelFaults();
  if (!checkDefinition(definition, faults)) faults.check();
  return buildModel(definition, faults);
}
var edm = Object.freeze(
  Object.fromEntries(
    primitiveTypeNames.map((type) => [type.slice("Edm.".length), (facets) => ({ ...facets, type })])
  )
);

// lib/uri/percent-encoding.ts
var unreserved = /^[A-Za-z0-9\-._~'()*!,=:@$;]*$/;
var readable = /%2C|%3D|%3A|%40|%24|%3B/g;
var characters = {
  "%2C": ",",
  "%3D": "=",
  "%3A": ":",
  "%40": "@",
  "%24": "$",
  "%3B": ";"
};
function percentEncode(text3) {
  if (unreserved.test(text3)) return text3;
  return encodeURIComponent(text3.toWellFormed()).replace(readable, (code) => characters[code] ?? code);
}

// lib/evaluation/value-row.ts
var arrayCells = {
  cells: (source) => source,
  cell: (source, _position, index) => source[index]
};
var sourceKey = /* @__PURE__ */ Symbol("source");
var positionKey = /* @__PURE__ */ Symbol("position");
var layoutKey = /* @__PURE__ */ Symbol("layout");
var ValueRow = class {
  [sourceKey];
  [positionKey];
  constructor(source, position) {
    this[sourceKey] = source;
    this[positionKey] = position;
  }
};
var RowLayout = class {
  constructor(columns, reader = arrayCells) {
    this.columns = columns;
    this.reader = reader;
    this.indexes = new Map(columns.map(({ path: path2 }, index) => [path2.join("/"), index]));
    this.rowClass = classOf(this);
  }
  columns;
  reader;
  rowClass;
  indexes;
  /** False when a property is named like a member that every object has, such as `constructor`. */
  get hasValueRows() {
    return this.columns.every(({ path: [first = ""] }) => !(first in Object.prototype));
  }
  /** Returns the index of the cell of a simple property; undefined when the rows do not have it. */
  indexOf(path2) {
    return this.indexes.get(path2.join("/"));
  }
  row(source, position) {
    return new this.rowClass(source, position);
  }
  /** Returns the cells of a row of this layout, in the order of its columns. */
  cells(row) {
    return this.reader.cells(row[sourceKey], row[positionKey]);
  }
  /** Returns the value of a cell. */
  valueOf(cell, index) {
    const decode = this.columns[index]?.decode;
    return cell === null || cell === void 0 || decode === void 0 ? cell : decode(cell);
  }
  /** Returns the value of one cell of a row of this layout. */
  valueAt(row, index) {
    return this.valueOf(this.reader.cell(row[sourceKey], row[positionKey], index), index);
  }
  /** Returns a plain object with the values of a row. */
  object(cells) {
    const row = {};
    for (const [index, { path: path2 }] of this.columns.entries())
      place(row, path2, this.valueOf(cells[index], index));
    return row;
  }
};
function layoutOf(row) {
  return row instanceof ValueRow ? row[layoutKey] : void 0;
}
function plainRow(row) {
  if (!(row instanceof ValueRow)) return row;
  const layout = row[layoutKey];
  return layout.object(layout.cells(row));
}
function classOf(layout) {
  class LayoutRow extends ValueRow {
    get [layoutKey]() {
      return layout;
    }
  }
  const members = /* @__PURE__ */ new Map();
  for (const [index, { path: path2 }] of layout.columns.entries()) {
    const [name = ""] = path2;
    members.set(name, [...members.get(name) ?? [], index]);
  }
  for (const [name, indexes] of members) {
    const [index = 0] = indexes;
    const isSimple = layout.columns[index]?.path.length === 1;
    const get = isSimple ? function() {
      return layout.valueAt(this, index);
    } : function() {
      const owner = {};
      for (const one of indexes) place(owner, layout.columns[one]?.path ?? [], layout.valueAt(this, one));
      return owner[name];
    };
    Object.defineProperty(LayoutRow.prototype, name, { get, enumerable: true });
  }
  return LayoutRow;
}
function place(row, path2, value) {
  let owner = row;
  for (const name of path2.slice(0, -1)) {
    const inner = owner[name];
    const next = typeof inner === "object" && inner !== null ? inner : {};
    owner[name] = next;
    owner = next;
  }
  owner[path2.at(-1) ?? ""] = value;
}

// lib/formats/entry-template.ts
function text2(of) {
  return { kind: "Text", text: of };
}
function tagParts({ concurrencyTokens }, quote) {
  if (concurrencyTokens.length === 0) return [];
  const parts = [text2(`W/${quote}`)];
  for (const [index, property2] of concurrencyTokens.entries()) {
    if (index > 0) parts.push(text2(","));
    parts.push({ kind: "Literal", property: property2 });
  }
  return [...parts, text2(quote)];
}

// lib/query/projection.ts
function selectedProperties({ selected }, type) {
  if (selected === void 0) return type.properties;
  return type.properties.filter((property2) => property2.isKey || selected.has(property2.name));
}
function selectedNavigation({ selected }, type) {
  if (selected === void 0) return type.navigationProperties;
  return type.navigationProperties.filter(({ name }) => selected.has(name));
}
var wholeProjections = /* @__PURE__ */ new WeakMap();
function wholeProjection(set2) {
  let projection2 = wholeProjections.get(set2);
  if (projection2 === void 0) {
    projection2 = { set: set2, entityType: set2.entityType, selected: void 0, expansions: [] };
    wholeProjections.set(set2, projection2);
  }
  return projection2;
}

// lib/formats/atom/entry.ts
init_escape_xml();

// lib/formats/entity-address.ts
init_suggestions();

// lib/evaluation/row.ts
function memberReader(name) {
  if (name in Object.prototype) return (row) => Object.hasOwn(row, name) ? row[name] : void 0;
  return (row) => row[name];
}
function memberOf(row, name) {
  return name in Object.prototype && !Object.hasOwn(row, name) ? void 0 : row[name];
}
function setMember(row, name, value) {
  if (name !== "__proto__") row[name] = value;
  else Object.defineProperty(row, name, { value, configurable: true, enumerable: true, writable: true });
}
function typeOfRow(row, declared) {
  const name = row.$type;
  if (name === void 0 || name === declared.qualifiedName) return declared;
  const type = declared.derivedTypes.find((one) => one.qualifiedName === name);
  if (type === void 0) {
    throw new TypeError(`The provider returned an entity of type '${name}', not '${declared.qualifiedName}'.`);
  }
  return type;
}

// lib/formats/entry-layout.ts
var ObjectLayout = class {
  readers = [];
  indexes = /* @__PURE__ */ new Map();
  indexOf(path2) {
    const name = path2.map((property2) => property2.name).join("/");
    const known3 = this.indexes.get(name);
    if (known3 !== void 0) return known3;
    const index = this.readers.push(valueReader(path2)) - 1;
    this.indexes.set(name, index);
    return index;
  }
  column() {
    return void 0;
  }
  cells(row) {
    const cells = [];
    for (const read of this.readers) cells.push(read(row));
    return cells;
  }
};
function entryLayoutOf(layout) {
  const { columns } = layout;
  return {
    // Beyond the end of the cells there is undefined: rows without a property have null.
    indexOf: (path2) => layout.indexOf(path2.map(({ name }) => name)) ?? columns.length,
    column: (index) => columns[index],
    cells: (row) => layout.cells(row)
  };
}
function valueReader(path2) {
  const [first, ...inner] = path2.map(({ name }) => memberReader(name));
  if (first === void 0) throw new TypeError("A value needs a property.");
  if (inner.length === 0) return first;
  return (row) => {
    let value = first(row);
    for (const read of inner) {
      if (value === null || value === void 0) return void 0;
      value = read(value);
    }
    return value;
  };
}
function cellFormatter(column2, format2) {
  const decode = column2?.decode;
  return decode === void 0 ? format2 : (cell) => format2(decode(cell));
}

// lib/formats/plain-text.ts
var plainText = {
  "Edm.String": (value) => typeof value === "string" ? value : fault2(value, "Edm.String"),
  "Edm.Boolean": (value) => typeof value === "boolean" ? String(value) : fault2(value, "Edm.Boolean"),
  "Edm.Byte": integer("Edm.Byte"),
  "Edm.SByte": integer("Edm.SByte"),
  "Edm.Int16": integer("Edm.Int16"),
  "Edm.Int32": integer("Edm.Int32"),
  "Edm.Int64": (value) => Number.isSafeInteger(value) ? integerText(value) : longInteger(value),
  "Edm.Decimal": formatDecimal,
  "Edm.Double": (value) => formatDouble(operandOf(value, "Edm.Double")),
  "Edm.Single": (value) => formatSingle(operandOf(value, "Edm.Single")),
  "Edm.Guid": (value) => operandOf(value, "Edm.Guid"),
  "Edm.Binary": (value) => base64(operandOf(value, "Edm.Binary")),
  "Edm.DateTime": formatDateTime,
  "Edm.DateTimeOffset": formatDateTimeOffset,
  "Edm.Time": formatTime
};
function fault2(value, type) {
  throw new TypeError(`The provider returned ${typeof value} '${shortened(String(value))}', not ${type}.`);
}
function operandOf(value, type) {
  return primitiveTypes[type].toOperand(value) ?? fault2(value, type);
}
function base64(bytes2) {
  return Buffer.from(bytes2.buffer, bytes2.byteOffset, bytes2.byteLength).toString("base64");
}
function longInteger(value) {
  const operand = BigInt(operandOf(value, "Edm.Int64"));
  return BigInt.asIntN(64, operand) === operand ? String(operand) : fault2(value, "Edm.Int64");
}
function integer(type) {
  const [least, greatest] = integerRanges[type];
  return (value) => {
    const isWhole2 = typeof value === "bigint" || typeof value === "number" && Number.isInteger(value);
    return isWhole2 && value >= least && value <= greatest ? `${value}` : fault2(value, type);
  };
}

// lib/formats/literal-text.ts
function literalWriter(property2) {
  const read = memberReader(property2.name);
  const format2 = literalFormatter(property2, void 0);
  return (row) => {
    const value = read(row);
    return value === null || value === void 0 ? "null" : format2(value);
  };
}
function literalFormatter({ type: name }, column2) {
  const type = name;
  const format2 = cellFormatter(column2, formatterOf(type));
  const suffix = digitSuffixes[type];
  const plainText2 = column2?.plainText;
  if (suffix === void 0 || plainText2 === void 0) return format2;
  return (cell) => {
    const digits2 = plainText2(cell);
    return digits2 === void 0 ? format2(cell) : digits2 + suffix;
  };
}
var digitSuffixes = {
  "Edm.Byte": "",
  "Edm.SByte": "",
  "Edm.Int16": "",
  "Edm.Int32": "",
  "Edm.Int64": "L"
};
function formatterOf(type) {
  switch (type) {
    // Digits need no encoding.
    case "Edm.Byte":
    case "Edm.SByte":
    case "Edm.Int16":
    case "Edm.Int32":
      return plainText[type];
    case "Edm.Int64":
      return (value) => `${plainText[type](value)}L`;
    default:
      return (value) => {
        operandOf(value, type);
        return percentEncode(primitiveTypes[type].formatLiteral(value));
      };
  }
}

// lib/formats/entity-address.ts
function keyWriter({ key, qualifiedName }, layout) {
  const writers = key.map((property2, position) => {
    const index = layout.indexOf([property2]);
    const format2 = literalFormatter(property2, layout.column(index));
    const prefix3 = key.length === 1 ? "" : `${position === 0 ? "" : ","}${property2.name}=`;
    return { index, format: format2, prefix: prefix3, name: property2.name };
  });
  return (cells, row) => {
    let predicate = "";
    for (const { index, format: format2, prefix: prefix3, name } of writers) {
      const cell = cells[index];
      if (cell === null || cell === void 0) throw missingKey(qualifiedName, name, row);
      predicate += prefix3 + format2(cell);
    }
    return predicate;
  };
}
function missingKey(typeName, name, row) {
  return new TypeError(
    `The provider returned a '${typeName}' without its key '${name}'.${nearHint(name, plainRow(row))}`
  );
}
function nearHint(name, row) {
  const near = nearest(name, Object.keys(row));
  return near === void 0 || near === name ? "" : ` There is '${near}'.`;
}
function pathPrefix(set2) {
  return percentEncode(set2.path);
}
function keyTokenWriter({ key }) {
  const writers = key.map((property2) => literalWriter(property2));
  return (row) => writers.map((write) => write(row)).join(",");
}

// lib/formats/missing-values.ts
import createDebug from "debug";
var debug = createDebug("odata-v2:provider");
function warnOnMissingValue({ path: path2 }) {
  if (!debug.enabled || path2.at(-1)?.nullable !== false) return void 0;
  const name = path2.map((property2) => property2.name).join("/");
  let isKnown = false;
  return (address2) => {
    if (isKnown) return;
    isKnown = true;
    debug(
      "%s: '%s' is null, but the model says nullable: false, and clients may refuse that. Give it a value, or have the model say nullable: true.",
      address2,
      name
    );
  };
}

// lib/formats/static-text.ts
var OF_VALUE = 0;
var OF_EXCEPTION = 1;
var OF_NULL = 2;
var StaticTextBuilder = class {
  before = ["", "", ""];
  /** Adds text that is the same for all rows. */
  add(text3) {
    this.before = appended(this.before, text3);
  }
  /** Adds a value. */
  addValue({ ofValue, ofException = ofValue, whenNull }) {
    const { before } = this;
    this.before = [ofValue.closing, ofException.closing, ""];
    return {
      value: appended(before, ofValue.opening),
      exception: appended(before, ofException.opening),
      null: appended(before, whenNull)
    };
  }
  /** Returns the text after the last value. */
  end() {
    return this.before;
  }
};
function appended(before, text3) {
  return [before[OF_VALUE] + text3, before[OF_EXCEPTION] + text3, before[OF_NULL] + text3];
}

// lib/formats/entry-writer.ts
function entryWriters(partsOf4, value) {
  const writers = /* @__PURE__ */ new WeakMap();
  const entry = (projection2) => {
    let write = writers.get(projection2);
    if (write === void 0) {
      write = writerOfAllTypes(projection2, { value, partsOf: partsOf4, entry });
      writers.set(projection2, write);
    }
    return write;
  };
  return entry;
}
function writerOfAllTypes(projection2, format2) {
  const { entityType: entityType2 } = projection2;
  const base = writerOfAllLayouts(projection2, entityType2, format2);
  if (entityType2.derivedTypes.length === 0) return base;
  const byType = /* @__PURE__ */ new Map([[entityType2, base]]);
  return (batch, index, context2, declarations) => {
    const type = typeOfRow(batch.rows[index], entityType2);
    let write = byType.get(type);
    if (write === void 0) {
      write = writerOfAllLayouts(projection2, type, format2);
      byType.set(type, write);
    }
    return write(batch, index, context2, declarations);
  };
}
function writerOfAllLayouts(projection2, type, format2) {
  const parts = format2.partsOf(projection2, type);
  const ofObjects = compileEntry(parts, projection2, format2, new ObjectLayout());
  const byLayout = /* @__PURE__ */ new WeakMap();
  let lastLayout;
  let ofLast = ofObjects;
  return (batch, index, context2, declarations) => {
    const layout = layoutOf(batch.rows[index]);
    if (layout === void 0) return ofObjects(batch, index, context2, declarations);
    if (layout !== lastLayout) {
      ofLast = byLayout.get(layout) ?? compileEntry(parts, projection2, format2, entryLayoutOf(layout));
      byLayout.set(layout, ofLast);
      lastLayout = layout;
    }
    return ofLast(batch, index, context2, declarations);
  };
}
var KEY = -1;
var ROOT = -2;
var OTHER = -3;
var noStep = {
  format: String,
  isException: void 0,
  formatException: String,
  warnOnNull: void 0,
  write: () => ""
};
function compileEntry(parts, projection2, format2, layout) {
  const writeKey = keyWriter(projection2.entityType, layout);
  const prefix3 = `${pathPrefix(projection2.set)}(`;
  const { steps, end } = compileSteps(parts, prefix3, projection2, format2, layout);
  return (batch, index, context2, declarations = "") => {
    const row = batch.rows[index];
    const cells = ['1','a','b','1.00','2','3','4.5','t','2020-01-01 00:00:00.001','00000000-0000-4000-8000-000000000001'];
    const key = writeKey(cells, row);
    let entry = "";
    let form = OF_VALUE;
    for (const step of steps) {
      const { before } = step;
      if (step.index >= 0) {
        const cell = cells[step.index];
        if (cell === null || cell === void 0) {
          step.warnOnNull?.(`${prefix3}${key})`);
          entry += before.null[form];
          form = OF_NULL;
        } else if (step.isException?.(cell, context2) === true) {
          entry += before.exception[form] + step.formatException(cell);
          form = OF_EXCEPTION;
        } else {
          entry += before.value[form] + step.format(cell);
          form = OF_VALUE;
        }
      } else {
        entry += before.value[form];
        form = OF_VALUE;
        if (step.index === KEY) entry += key;
        else if (step.index === ROOT) entry += context2.root;
        else entry += step.write(row, `${prefix3}${key})`, context2, batch, index, declarations);
      }
    }
    return entry + end[form];
  };
}
function compileSteps(parts, prefix3, projection2, format2, layout) {
  const texts = new StaticTextBuilder();
  const steps = [];
  const addStep = (step, forms3 = bare) => {
    steps.push({ ...step, before: texts.addValue(forms3) });
  };
  for (const part of parts) {
    switch (part.kind) {
      case "Text":
        texts.add(part.text);
        break;
      case "Root":
        addStep({ ...noStep, index: ROOT });
        break;
      case "Path":
        texts.add(prefix3);
        addStep({ ...noStep, index: KEY });
        texts.add(")");
        break;
      case "Value": {
        const index = layout.indexOf(part.path);
        const formatter3 = format2.value.formatter(part, layout.column(index));
        const warnOnNull = warnOnMissingValue(part);
        addStep({ ...stepOf(formatter3), index, warnOnNull }, format2.value.forms(part));
        break;
      }
      case "Literal": {
        const index = layout.indexOf([part.property]);
        const formatter3 = { format: literalFormatter(part.property, layout.column(index)) };
        addStep({ ...stepOf(formatter3), index }, literal);
        break;
      }
      default:
        addStep({ ...noStep, index: OTHER, write: partWriter(part, projection2, format2) });
    }
  }
  return { steps, end: texts.end() };
}
var bare = { ofValue: { opening: "", closing: "" }, whenNull: "" };
var literal = { ...bare, whenNull: "null" };
function stepOf({ format: format2, isException, formatException = format2 }) {
  return { ...noStep, format: format2, isException, formatException };
}
function partWriter(part, projection2, format2) {
  switch (part.kind) {
    case "Updated":
      return (_row, _path, { updated }) => updated;
    case "Declarations":
      return (_row, _path, _context, _batch, _index, declarations) => declarations;
    case "InlineEntry":
      return inlineEntryWriter(part, projection2, format2);
    case "InlineFeed":
      return inlineFeedWriter(part, projection2, format2);
    case "Computed": {
      const { write } = part;
      return (row, path2, context2) => write(plainRow(row), path2, context2);
    }
  }
}
function inlineEntryWriter(part, projection2, format2) {
  const { expansion, opening, closing, whenNone } = part;
  const write = format2.entry(inlineProjection(projection2, expansion));
  return (_row, _path, context2, { expansions }, index) => {
    const { batch, starts } = expansions[expansion];
    const start = starts[index] ?? 0;
    if (start === (starts[index + 1] ?? start)) return whenNone;
    return opening + write(batch, start, context2) + closing;
  };
}
function inlineFeedWriter(part, projection2, format2) {
  const { expansion, separator, closingOfCut, open, close } = part;
  const write = format2.entry(inlineProjection(projection2, expansion));
  return (_row, path2, context2, outer, index) => {
    const { batch, starts, cut } = outer.expansions[expansion];
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? start;
    let feed = open(path2, context2, start === end);
    for (let child = start; child < end; child++) {
      if (child > start) feed += separator;
      feed += write(batch, child, context2);
    }
    if (context2.version === "2.0" && cut.has(index)) {
      return feed + closingOfCut(path2, batch.rows[end - 1], context2.root);
    }
    return feed + close(context2);
  };
}
function inlineProjection({ expansions }, position) {
  const expansion = expansions[position];
  if (expansion === void 0) throw new TypeError("The template shows an expansion that there is not.");
  return expansion.projection;
}

// lib/formats/next-link.ts
function nextExpandedQuery(expandText, selectText, token) {
  const expand = expandText === "" ? "" : `$expand=${percentEncode(expandText)}&`;
  const select = selectText === "" ? "" : `$select=${percentEncode(selectText)}&`;
  return `${expand}${select}$skiptoken=${token}`;
}

// lib/formats/atom/feed-customization.ts
init_escape_xml();

// lib/formats/atom/xml-text.ts
init_escape_xml();
function textReader({ name, type, precision }) {
  if (!isPrimitive(type)) throw new TypeError(`'${name}' is not a simple property.`);
  const write = plainText[type];
  if (type === "Edm.String") {
    return (row) => {
      const value = row[name];
      return value === null || value === void 0 ? void 0 : escapeText(write(value));
    };
  }
  return (row) => {
    const value = row[name];
    return value === null || value === void 0 ? void 0 : write(value, precision);
  };
}
function preserveSpace(text3) {
  return isBlank(text3.charCodeAt(0)) || isBlank(text3.charCodeAt(text3.length - 1)) ? ' xml:space="preserve"' : "";
}
function isBlank(unit) {
  return unit === 32 || unit === 10 || unit === 9;
}

// lib/formats/atom/feed-customization.ts
function computed(write) {
  return { kind: "Computed", write: (row, _path, context2) => write(row, context2) };
}
function feedCustomization(type) {
  const values = type.feedMappings.flatMap((mapping) => mappedValue(type, mapping) ?? []);
  const byTarget = /* @__PURE__ */ new Map();
  const custom = [];
  for (const value of values) {
    const { targetPath } = value.mapping;
    if (isSyndicationTarget(targetPath)) byTarget.set(targetPath, value);
    else custom.push(value);
  }
  const head = [
    titleWriter(byTarget.get("SyndicationTitle")),
    updatedWriter(byTarget.get("SyndicationUpdated")),
    authorWriter(byTarget),
    textWriter("rights", byTarget.get("SyndicationRights")),
    textWriter("summary", byTarget.get("SyndicationSummary")),
    publishedWriter(byTarget.get("SyndicationPublished")),
    contributorWriter(byTarget)
  ];
  const { elements, attributes } = customElementsWriter(custom);
  const isCustom = custom.length > 0;
  return {
    head: head.flatMap((part) => typeof part === "function" ? computed(part) : part ?? []),
    elements: isCustom ? [computed(elements)] : [],
    attributes: isCustom ? [computed(attributes)] : [],
    elsewhere: new Set(
      values.filter(({ mapping }) => !mapping.keepInContent).map(({ mapping }) => mapping.sourcePath.join("/"))
    )
  };
}
function titleWriter(value) {
  if (value === void 0) return [text2('<title type="text"></title>')];
  const write = formattedText("title", value);
  return (row) => write(row) ?? '<title type="text"></title>';
}
function textWriter(name, value) {
  if (value === void 0) return void 0;
  const write = formattedText(name, value);
  return (row) => write(row) ?? "";
}
function formattedText(name, { mapping, read, raw: raw2 }) {
  const plain2 = (text3, type) => `<${name} type="${type}">${text3}</${name}>`;
  return (row) => {
    const text3 = read(row);
    if (text3 === void 0) return void 0;
    if (mapping.contentKind !== "xhtml") return plain2(text3, mapping.contentKind);
    const content = xhtmlContent(String(raw2(row)));
    return content === void 0 ? plain2(text3, "text") : plain2(content, "xhtml");
  };
}
function updatedWriter(value) {
  if (value === void 0) return [text2("<updated>"), { kind: "Updated" }, text2("</updated>")];
  return (row, { updated }) => `<updated>${dateText(value, row) ?? updated}</updated>`;
}
function publishedWriter(value) {
  if (value === void 0) return void 0;
  return (row) => {
    const text3 = dateText(value, row);
    return text3 === void 0 ? "" : `<published>${text3}</published>`;
  };
}
function dateText({ property: property2, read }, row) {
  const text3 = read(row);
  return text3 !== void 0 && property2.type === "Edm.DateTime" ? `${text3}Z` : text3;
}
function authorWriter(values) {
  const write = personWriter(
    "author",
    values.get("SyndicationAuthorName"),
    values.get("SyndicationAuthorUri"),
    values.get("SyndicationAuthorEmail")
  );
  return write ?? [text2("<author><name/></author>")];
}
function contributorWriter(values) {
  return personWriter(
    "contributor",
    values.get("SyndicationContributorName"),
    values.get("SyndicationContributorUri"),
    values.get("SyndicationContributorEmail")
  );
}
function personWriter(element3, name, uri, email) {
  if (name === void 0 && uri === void 0 && email === void 0) return void 0;
  return (row) => {
    const nameText = name?.read(row);
    const rest = textElement("uri", uri?.read(row)) + textElement("email", email?.read(row));
    if (element3 === "contributor" && nameText === void 0 && rest === "") return "";
    const nameElement = nameText === void 0 ? "<name/>" : `<name>${nameText}</name>`;
    return `<${element3}>${nameElement}${rest}</${element3}>`;
  };
}
function textElement(name, text3) {
  return text3 === void 0 ? "" : `<${name}>${text3}</${name}>`;
}
function xhtmlContent(value) {
  const content = `<div xmlns="http://www.w3.org/1999/xhtml">${value}</div>`;
  try {
    parseXml(content);
    return content;
  } catch (error) {
    if (error instanceof XmlError) return void 0;
    throw error;
  }
}
function customElementsWriter(values) {
  const namespaces = /* @__PURE__ */ new Map();
  for (const value of values) place2(value, namespaceOf(value, namespaces));
  const elements = [];
  const attributes = [];
  for (const { prefix: prefix3, root: root2, declaration } of namespaces.values()) {
    for (const child of root2.children) elements.push(elementWriter(child, prefix3, declaration));
    if (root2.attributes.size > 0) attributes.push(attributesWriter(root2, prefix3, declaration));
  }
  const all2 = (writers) => (row) => writers.map((write) => write(row)).join("");
  return { elements: all2(elements), attributes: all2(attributes) };
}
var reserved = /* @__PURE__ */ new Set(["d", "m", "xml", "xmlns"]);
function namespaceOf({ mapping }, known3) {
  const uri = mapping.namespaceUri ?? "";
  let namespace = known3.get(uri);
  if (namespace === void 0) {
    const wanted = mapping.namespacePrefix;
    const taken = [...known3.values()].some(({ prefix: prefix4 }) => prefix4 === wanted);
    const prefix3 = wanted === void 0 || taken || reserved.has(wanted) ? `cf${known3.size + 1}` : wanted;
    const declaration = ` xmlns:${prefix3}="${escapeAttribute(uri)}"`;
    namespace = { prefix: prefix3, root: emptyElement(""), declaration };
    known3.set(uri, namespace);
  }
  return namespace;
}
function place2(value, { root: root2 }) {
  let element3 = root2;
  for (const name of value.mapping.targetPath.split("/")) {
    if (name.startsWith("@")) {
      element3.attributes.set(name.slice(1), value);
      return;
    }
    let child = element3.children.find((one) => one.name === name);
    if (child === void 0) {
      child = emptyElement(name);
      element3.children.push(child);
    }
    element3 = child;
  }
  element3.value = value;
}
function emptyElement(name) {
  return { name, value: void 0, attributes: /* @__PURE__ */ new Map(), children: [] };
}
function elementWriter(element3, prefix3, declaration) {
  const name = `${prefix3}:${element3.name}`;
  const writeAttributes = attributesWriter(element3, prefix3, "");
  const children = element3.children.map((child) => elementWriter(child, prefix3, ""));
  return (row) => {
    const text3 = element3.value?.read(row);
    const attributes = writeAttributes(row);
    const content = (text3 ?? "") + children.map((write) => write(row)).join("");
    if (text3 === void 0 && attributes === "" && content === "") return "";
    return `<${name}${declaration}${attributes}>${content}</${name}>`;
  };
}
function attributesWriter(element3, prefix3, declaration) {
  const attributes = [...element3.attributes];
  return (row) => {
    let text3 = "";
    for (const [name, value] of attributes) {
      const raw2 = value.raw(row);
      const shown = typeof raw2 === "string" ? escapeAttribute(raw2) : value.read(row);
      if (shown !== void 0) text3 += ` ${prefix3}:${name}="${shown}"`;
    }
    return text3 === "" ? "" : declaration + text3;
  };
}
function mappedValue(type, mapping) {
  const owners = mapping.sourcePath.slice(0, -1);
  let properties = type;
  for (const name of owners) {
    const complex = properties.property(name)?.type;
    if (complex === void 0 || isPrimitive(complex)) return void 0;
    properties = complex;
  }
  const property2 = properties.property(mapping.sourcePath.at(-1) ?? "");
  if (property2 === void 0 || !isPrimitive(property2.type)) return void 0;
  const read = textReader(property2);
  const owner = (row) => {
    let value = row;
    for (const name of owners) value = value[name] ?? {};
    return value;
  };
  return {
    mapping,
    property: property2,
    read: owners.length === 0 ? read : (row) => read(owner(row)),
    raw: (row) => owner(row)[property2.name] ?? void 0
  };
}

// lib/formats/atom/feed-frame.ts
init_escape_xml();
function openFeed({ title, path: path2, inlineCount, isEmpty }, { root: root2, updated }, declarations) {
  const count = inlineCount === void 0 ? "" : `<m:count>${inlineCount}</m:count>`;
  const author = isEmpty ? "<author><name/></author>" : "";
  return `<feed${declarations}><title type="text">${title}</title><id>${root2}${path2}</id><updated>${updated}</updated>${author}<link rel="self" title="${title}" href="${path2}"/>${count}`;
}
function closeFeed(next) {
  return next === void 0 ? "</feed>" : `<link rel="next" href="${escapeAttribute(next)}"/></feed>`;
}

// lib/formats/atom/properties.ts
init_escape_xml();
function propertyParts(properties, elsewhere, owners = []) {
  return properties.flatMap((property2) => partsOf2([...owners, property2], property2, elsewhere));
}
function partsOf2(path2, { name, type }, elsewhere) {
  if (!isPrimitive(type)) {
    const members = propertyParts(type.properties, elsewhere, path2);
    return [text2(`<d:${name} m:type="${type.qualifiedName}">`), ...members, text2(`</d:${name}>`)];
  }
  const attribute2 = type === "Edm.String" ? "" : ` m:type="${type}"`;
  const whenNull = `<d:${name}${attribute2} m:null="true"/>`;
  if (elsewhere.has(path2.map((step) => step.name).join("/"))) return [onlyNull(path2, whenNull)];
  return [
    {
      kind: "Value",
      type,
      content: type === "Edm.String" ? "String" : "Text",
      path: path2,
      opening: `<d:${name}${attribute2}>`,
      // Only strings can begin or end with a blank.
      ...type === "Edm.String" ? { openingOfBlank: `<d:${name}${preserveSpace(" ")}>` } : {},
      closing: `</d:${name}>`,
      whenNull
    }
  ];
}
function onlyNull(path2, whenNull) {
  const read = valueReader(path2);
  return { kind: "Computed", write: (row) => (read(row) ?? null) === null ? whenNull : "" };
}
var valueFormat = { forms, formatter };
function forms({ opening, openingOfBlank, closing, whenNull }) {
  return {
    ofValue: { opening, closing },
    ofException: openingOfBlank === void 0 ? void 0 : { opening: openingOfBlank, closing },
    whenNull
  };
}
function formatter({ type, path: path2, content }, column2) {
  const isString = content === "String";
  const precision = path2.at(-1)?.precision;
  const formatValue = plainText[type];
  const format2 = cellFormatter(
    column2,
    (value) => isString ? escapeText(formatValue(value)) : formatValue(value, precision)
  );
  const textOf2 = column2?.plainText;
  return {
    format: textOf2 === void 0 ? format2 : (cell) => textOf2(cell, precision) ?? format2(cell),
    // A space is a single byte, also in a cell that is not decoded.
    ...isString && { isException: (cell) => typeof cell === "string" && preserveSpace(cell) !== "" }
  };
}

// lib/formats/atom/entry.ts
var entryWriter = entryWriters(entryTemplate, valueFormat);
var root = { kind: "Root" };
var path = { kind: "Path" };
function entryTemplate(projection2, type) {
  const { set: set2 } = projection2;
  const { head, elements, attributes, elsewhere } = feedCustomization(type);
  const tag = tagParts(type, "&quot;");
  const content = contentParts(set2, type);
  return [
    text2("<entry"),
    { kind: "Declarations" },
    ...tag.length === 0 ? [] : [text2(' m:etag="'), ...tag, text2('"')],
    ...attributes,
    text2("><id>"),
    root,
    path,
    text2("</id>"),
    ...head,
    ...content.link,
    text2(`<link rel="edit" title="${type.name}" href="`),
    path,
    text2('"/>'),
    ...selectedNavigation(projection2, type).flatMap((one) => linkParts(one, projection2)),
    text2(`<category term="${type.qualifiedName}" scheme="${schemeNamespace}"/>`),
    ...content.opening,
    ...propertyParts(selectedProperties(projection2, type), elsewhere),
    text2(content.closing),
    ...elements,
    text2("</entry>")
  ];
}
var ordinary = {
  link: [],
  opening: [text2('<content type="application/xml"><m:properties>')],
  closing: "</m:properties></content>"
};
function contentParts(set2, type) {
  if (!type.hasStream) return ordinary;
  const link = {
    kind: "Computed",
    write(row, path2, context2) {
      const tag = context2.media(set2)?.etag?.(row);
      const tagAttribute = tag === void 0 ? "" : ` m:etag="${escapeAttribute(tag)}"`;
      return `<link rel="edit-media" title="${type.name}" href="${path2}/$value"${tagAttribute}/>`;
    }
  };
  const opening = {
    kind: "Computed",
    write(row, path2, context2) {
      const contentType = context2.media(set2)?.contentType(row) ?? "application/octet-stream";
      return `<content type="${escapeAttribute(contentType)}" src="${path2}/$value"/><m:properties>`;
    }
  };
  return { link: [link], opening: [opening], closing: "</m:properties>" };
}
function linkParts(navigation, projection2) {
  const type = navigation.isCollection ? "feed" : "entry";
  const opening = text2(
    `<link rel="${relatedNamespace}${navigation.name}" type="application/atom+xml;type=${type}" title="${navigation.name}" href="`
  );
  const link = [opening, path, text2(`/${percentEncode(navigation.name)}"`)];
  const position = projection2.expansions.findIndex((one) => one.navigation === navigation);
  const expansion = projection2.expansions[position];
  if (expansion === void 0) return [...link, text2("/>")];
  const inline = navigation.isCollection ? inlineFeed(expansion, position) : inlineEntry(position);
  return [...link, text2(">"), ...inline, text2("</link>")];
}
function inlineEntry(expansion) {
  return [
    {
      kind: "InlineEntry",
      expansion,
      opening: "<m:inline>",
      closing: "</m:inline>",
      whenNone: "<m:inline/>"
    }
  ];
}
function inlineFeed({ navigation, projection: projection2, expandText, selectText }, expansion) {
  const writeToken = keyTokenWriter(projection2.entityType);
  const name = percentEncode(navigation.name);
  const feed = {
    kind: "InlineFeed",
    expansion,
    open: (path2, context2, isEmpty) => openFeed({ title: navigation.name, path: `${path2}/${name}`, inlineCount: void 0, isEmpty }, context2, ""),
    separator: "",
    close: () => closeFeed(void 0),
    closingOfCut: (path2, last, root2) => closeFeed(`${root2}${path2}/${name}?${nextExpandedQuery(expandText, selectText, writeToken(last))}`)
  };
  return [text2("<m:inline>"), feed, text2("</m:inline>")];
}

// lib/formats/atom/read-document.ts
init_suggestions();

// lib/formats/payload-faults.ts
init_odata_error();
init_suggestions();
function payloadFault(message) {
  return new ODataError("BadRequest", { message });
}
function valueMismatch(path2, type, expected, found) {
  const name = typeof type === "string" ? type : type.qualifiedName;
  return payloadFault(`'${path2}' is of type ${name}: write ${expected}, not ${found}.`);
}
function unknownMember(prefix3, name, type) {
  const path2 = prefix3 + shortened(name);
  if (type.kind === "ComplexType") return unknownName(path2, name, type, type.properties);
  const owner = type.derivedTypes.find((one) => one.property(name) ?? one.navigationProperty(name));
  if (owner === void 0) {
    return unknownName(path2, name, type, [...type.properties, ...type.navigationProperties]);
  }
  return payloadFault(
    `'${path2}' belongs to the type ${owner.qualifiedName}: name that type in the body, or leave it out.`
  );
}
function unknownName(path2, name, { qualifiedName }, known3) {
  const hint2 = didYouMean(
    name,
    known3.map((one) => one.name)
  );
  return payloadFault(`'${path2}' does not exist: ${qualifiedName} has no such property.${hint2}`);
}

// lib/formats/atom/read-xml.ts
function readXml(text3) {
  try {
    return parseXml(text3);
  } catch (error) {
    if (error instanceof XmlError) throw payloadFault(error.message);
    throw error;
  }
}
function childNamed(element3, namespace, name) {
  return childElements(element3).find((child) => child.namespace === namespace && child.name === name);
}
function ownText(element3) {
  return element3.children.filter((child) => typeof child === "string").join("");
}
function shownElement({ name, namespace }) {
  return namespace === "" ? `<${name}> without namespace` : `<${name}> of the namespace '${namespace}'`;
}

// lib/formats/payload-types.ts
init_suggestions();
init_odata_error();
function namedEntityType(declared, name, path2) {
  const types = [declared, ...declared.derivedTypes];
  const type = types.find(({ qualifiedName }) => qualifiedName === name);
  if (type !== void 0) return type;
  const names = types.map(({ qualifiedName }) => qualifiedName);
  const place4 = path2 === "" ? "The body" : `'${path2}'`;
  const choice = names.length === 1 ? declared.qualifiedName : `${declared.qualifiedName} or a type derived from it`;
  throw payloadFault(
    `${place4} says that it is of type '${shortened(name)}', but here only ${choice} can be.${didYouMean(name, names)}`
  );
}
function checkComplexType(type, name, path2) {
  if (name === type.qualifiedName || name === type.name) return;
  throw payloadFault(
    `'${path2}' says that it is of type '${shortened(name)}', but it is of type ${type.qualifiedName}.`
  );
}
function nullMembers(type) {
  const values = {};
  for (const member of type.properties) {
    setMember(values, member.name, isPrimitive(member.type) ? null : nullMembers(member.type));
  }
  return values;
}
function optionsInside(options, path2) {
  if (options.depth > 0) return { ...options, depth: options.depth - 1, untyped: void 0 };
  if (!path2.includes("/")) {
    throw payloadFault(`'${path2}' holds an entity, which cannot be written here: write only a link to it.`);
  }
  throw new ODataError("LimitExceeded", {
    message: `'${path2}' is an entity within too many others: write it in a request of its own.`
  });
}

// lib/formats/link-echo.ts
function isEcho(uri, navigation, selves, service) {
  const path2 = relative(uri, service);
  const slash = path2.lastIndexOf("/");
  if (slash < 0 || path2.slice(slash + 1) !== navigation) return false;
  const owner = path2.slice(0, slash);
  return selves.length === 0 || selves.some((self) => relative(self, service) === owner);
}
function relative(uri, service) {
  const text3 = uri.trim();
  const path2 = text3.startsWith(service) ? text3.slice(service.length) : text3;
  try {
    return decodeURIComponent(path2);
  } catch {
    return path2;
  }
}

// lib/formats/payload.ts
function collectionOf(uris, entities) {
  if (uris.length === 0) return { kind: "Inline", entities };
  return entities.length === 0 ? { kind: "Bind", uris } : { kind: "Mixed", uris, entities };
}

// lib/formats/atom/read-links.ts
function readLinks(children, type, selves, prefix3, options, readEntry2) {
  const gathered = /* @__PURE__ */ new Map();
  for (const element3 of children) {
    const navigation = navigationOf(element3, type, prefix3, options);
    if (navigation === void 0) continue;
    const path2 = prefix3 + navigation.name;
    const inline = childNamed(element3, metadataNamespace, "inline");
    const link = inline === void 0 ? boundLink(element3, navigation, path2, selves, options) : inlineLink(inline, navigation, path2, options, readEntry2);
    if (link === void 0) continue;
    const others = gathered.get(navigation);
    if (others === void 0) gathered.set(navigation, [link]);
    else others.push(link);
  }
  return new Map(
    [...gathered].map(([navigation, links]) => [
      navigation.name,
      joined2(links, navigation, prefix3 + navigation.name)
    ])
  );
}
function navigationOf(element3, type, prefix3, { ignoreUnknown }) {
  const relation = element3.name === "link" ? attributeOf(element3, "rel")?.trim() ?? "" : "";
  if (!relation.startsWith(relatedNamespace)) return void 0;
  const name = relation.slice(relatedNamespace.length);
  const navigation = type.navigationProperty(name);
  if (navigation === void 0 && !ignoreUnknown) throw unknownMember(prefix3, name, type);
  return navigation;
}
function boundLink(element3, { name }, path2, selves, { service }) {
  const uri = attributeOf(element3, "href")?.trim() ?? "";
  if (uri === "") throw payloadFault(`The link '${path2}' must have the address of an entity in its href.`);
  return isEcho(uri, name, selves, service) ? void 0 : { kind: "Bind", uris: [uri] };
}
function inlineLink(inline, { isCollection, targetType }, path2, options, readEntry2) {
  const content = childElements(inline).find(({ namespace }) => namespace === atomNamespace);
  if (content === void 0) return isCollection ? { kind: "Inline", entities: [] } : { kind: "Unlink" };
  const wanted = isCollection ? "feed" : "entry";
  if (content.name !== wanted) {
    const target = isCollection ? "many entities" : "one entity";
    throw payloadFault(`'${path2}' leads to ${target}: write <${wanted}>, not ${shownElement(content)}.`);
  }
  const entries = isCollection ? entriesOf(content) : [content];
  const uris = [];
  const entities = [];
  for (const [index, entry] of entries.entries()) {
    const place4 = isCollection ? `${path2}[${index}]` : path2;
    const entity = readEntry2(entry, targetType, place4, optionsInside(options, place4));
    if (isReference(entry, entity)) uris.push(entity.uri);
    else entities.push(entity);
  }
  return collectionOf(uris, entities);
}
function isReference(entry, entity) {
  if (entity.uri === void 0 || entity.links.size > 0 || otherScheme.test(entity.uri)) return false;
  const parents = [entry, ...childElements(entry).filter(({ name }) => name === "content")];
  return parents.every((parent) => {
    const properties = childNamed(parent, metadataNamespace, "properties");
    return properties === void 0 || childElements(properties).length === 0;
  });
}
var otherScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:/i;
function entriesOf(feed) {
  return childElements(feed).filter(({ namespace, name }) => namespace === atomNamespace && name === "entry");
}
function joined2(links, { isCollection }, path2) {
  const [first, ...others] = links;
  if (first !== void 0 && others.length === 0) return first;
  if (!isCollection) throw payloadFault(`'${path2}' leads to one entity: write one link, not several.`);
  const uris = links.flatMap((link) => "uris" in link ? link.uris : []);
  const entities = links.flatMap((link) => "entities" in link ? link.entities : []);
  return collectionOf(uris, entities);
}

// lib/formats/read-text.ts
var longestText = 400;
function valueOfText(type, text3) {
  if (type === "Edm.String") return text3;
  if (type === "Edm.Binary") return bytesOfBase64(text3);
  return text3.length > longestText ? void 0 : primitiveTypes[type].parse(text3);
}
var textExamples = {
  "Edm.Binary": "base64 such as 'D6A='",
  "Edm.Boolean": "true or false",
  "Edm.Byte": "a whole number from 0 to 255",
  "Edm.DateTime": "a time without zone such as '2012-05-29T09:13:28'",
  "Edm.DateTimeOffset": "a time with zone such as '2012-05-29T09:13:28Z'",
  "Edm.Decimal": "digits such as '2.50'",
  "Edm.Double": "a number such as '2.5', 'NaN', 'INF' or '-INF'",
  "Edm.Guid": "digits such as '12345678-aaaa-bbbb-cccc-ddddeeeeffff'",
  "Edm.Int16": "a whole number from -32768 to 32767",
  "Edm.Int32": "a whole number from -2147483648 to 2147483647",
  "Edm.Int64": "the digits of a whole number of 64 bits such as '5'",
  "Edm.SByte": "a whole number from -128 to 127",
  "Edm.Single": "a number of 32 bits such as '2.5', 'NaN', 'INF' or '-INF'",
  "Edm.String": "text",
  "Edm.Time": "a time of day such as 'PT09H13M28S'"
};
function bytesOfBase64(text3) {
  const digits2 = /\s/.test(text3) ? text3.replace(/\s+/g, "") : text3;
  const padding = digits2.endsWith("==") ? 2 : digits2.endsWith("=") ? 1 : 0;
  const end = digits2.length - padding;
  if (digits2.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits2.slice(0, end))) return void 0;
  return new Uint8Array(Buffer.from(digits2, "base64"));
}

// lib/formats/atom/read-document.ts
var atomReader = {
  entity(text3, type, options) {
    const entry = readXml(text3);
    if (entry.name === "entry" && entry.namespace === atomNamespace)
      return readEntry(entry, type, "", options);
    throw payloadFault(
      `The body must be an element <entry> of the namespace '${atomNamespace}', not ${shownElement(entry)}.`
    );
  },
  property(text3, property2) {
    const { name, type } = property2;
    const element3 = readXml(text3);
    if (element3.name === name && element3.namespace === dataNamespace) {
      return readProperty(element3, property2, "", false);
    }
    throw payloadFault(
      `The body must be the value of '${name}' (${nameOfType(type)}) in an element <${name}> of the namespace '${dataNamespace}', not ${shownElement(element3)}.${hint(element3.name, name)}`
    );
  },
  link(text3) {
    const element3 = readXml(text3);
    const isUri = element3.name === "uri" && [dataNamespace, metadataNamespace].includes(element3.namespace);
    const uri = isUri && childElements(element3).length === 0 ? ownText(element3).trim() : "";
    if (uri !== "") return uri;
    throw payloadFault(`The body must be a link such as <uri xmlns="${dataNamespace}">Products(1)</uri>.`);
  }
};
function hint(written2, name) {
  return written2 === name ? "" : didYouMean(written2, [name]);
}
function readEntry(entry, declared, path2, options) {
  const children = childElements(entry).filter(({ namespace }) => namespace === atomNamespace);
  const typeName = termOf(children);
  const type = typeName === void 0 ? options.untyped ?? declared : namedEntityType(declared, typeName, path2);
  const prefix3 = path2 === "" ? "" : `${path2}/`;
  const values = {};
  for (const parent of [...children.filter(({ name }) => name === "content"), entry]) {
    const properties = childNamed(parent, metadataNamespace, "properties");
    if (properties !== void 0) readProperties(properties, type, prefix3, options.ignoreUnknown, values);
  }
  readMappedValues(entry, type, prefix3, values);
  const selves = addressesOf(children);
  return {
    typeName: typeName === void 0 ? void 0 : type.qualifiedName,
    uri: selves[0],
    values,
    links: readLinks(children, type, selves, prefix3, options, readEntry)
  };
}
function termOf(children) {
  const category = children.find(
    (child) => child.name === "category" && attributeOf(child, "scheme") === schemeNamespace
  );
  const term = category === void 0 ? void 0 : attributeOf(category, "term")?.trim();
  return term === "" ? void 0 : term;
}
function addressesOf(children) {
  const ids = children.filter(({ name }) => name === "id").map((id) => ownText(id).trim());
  const links = ["edit", "self"].flatMap(
    (relation) => children.filter((child) => child.name === "link" && attributeOf(child, "rel") === relation).map((link) => attributeOf(link, "href")?.trim() ?? "")
  );
  return [...ids, ...links].filter((address2) => address2 !== "");
}
var places = {
  SyndicationAuthorEmail: ["author", "email"],
  SyndicationAuthorName: ["author", "name"],
  SyndicationAuthorUri: ["author", "uri"],
  SyndicationContributorEmail: ["contributor", "email"],
  SyndicationContributorName: ["contributor", "name"],
  SyndicationContributorUri: ["contributor", "uri"],
  SyndicationPublished: ["published"],
  SyndicationRights: ["rights"],
  SyndicationSummary: ["summary"],
  SyndicationTitle: ["title"],
  SyndicationUpdated: ["updated"]
};
function readMappedValues(entry, type, prefix3, values) {
  for (const mapping of type.feedMappings) {
    if (mapping.keepInContent) continue;
    const property2 = propertyAt(type, mapping.sourcePath);
    if (property2 === void 0 || !isPrimitive(property2.type) || isPresent(values, mapping.sourcePath))
      continue;
    const text3 = mappedText(entry, mapping);
    if (text3 === void 0 || text3 === "" && !mayBeEmpty(property2.type)) continue;
    const path2 = prefix3 + mapping.sourcePath.join("/");
    place3(values, mapping.sourcePath, valueOf(text3, property2.type, mapping, path2));
  }
}
function mayBeEmpty(type) {
  return type === "Edm.String" || type === "Edm.Binary";
}
function isPresent(values, [name = "", ...rest]) {
  if (!Object.hasOwn(values, name)) return false;
  return rest.length === 0 || isPresent(values[name], rest);
}
function place3(values, [name = "", ...rest], value) {
  if (rest.length === 0) {
    setMember(values, name, value);
    return;
  }
  const members = Object.hasOwn(values, name) ? values[name] : {};
  setMember(values, name, members);
  place3(members, rest, value);
}
function valueOf(text3, type, { targetPath }, path2) {
  if (type === "Edm.DateTime" && isSyndicationTarget(targetPath)) {
    const instant = parseInstant(text3.trim())?.instant;
    if (instant !== void 0) return dateTimeType.toValue(instant);
  }
  return simpleValue(text3, type, path2);
}
function mappedText(entry, mapping) {
  const { targetPath, contentKind, namespaceUri = "" } = mapping;
  if (!isSyndicationTarget(targetPath)) return customText(entry, targetPath.split("/"), namespaceUri);
  let element3 = entry;
  for (const name of places[targetPath]) {
    if (element3 !== void 0) element3 = childNamed(element3, atomNamespace, name);
  }
  return element3 === void 0 ? void 0 : textConstruct(element3, contentKind);
}
function customText(element3, [name, ...rest], namespace) {
  if (name === void 0) return ownText(element3);
  if (name.startsWith("@")) {
    return attributeOf(element3, name.slice(1), namespace) ?? attributeOf(element3, name.slice(1));
  }
  const child = childNamed(element3, namespace, name);
  return child === void 0 ? void 0 : customText(child, rest, namespace);
}
var xhtmlNamespace = "http://www.w3.org/1999/xhtml";
var voidElements = /* @__PURE__ */ new Set(["area", "br", "col", "hr", "img", "input", "link", "meta"]);
function textConstruct(element3, kind) {
  const div = attributeOf(element3, "type") === "xhtml" ? childNamed(element3, xhtmlNamespace, "div") : void 0;
  if (div === void 0) return textOf(element3);
  return kind === "text" ? textOf(div) : contentOf(div);
}
function contentOf({ children, namespace }) {
  return children.map((child) => typeof child === "string" ? escaped(child) : written(child, namespace)).join("");
}
function written(element3, around) {
  const { namespace, name, attributes } = element3;
  const declarations = [...namespace === around ? [] : [["xmlns", namespace]], ...prefixesOf(attributes)];
  const pairs = [
    ...declarations,
    ...attributes.map((one) => [one.prefix === "" ? one.name : `${one.prefix}:${one.name}`, one.value])
  ];
  const start = name + pairs.map(([key = "", value = ""]) => ` ${key}="${quoted(value)}"`).join("");
  const content = contentOf(element3);
  return content === "" && voidElements.has(name) ? `<${start}/>` : `<${start}>${content}</${name}>`;
}
function prefixesOf(attributes) {
  const prefixes = /* @__PURE__ */ new Map();
  for (const { prefix: prefix3, namespace } of attributes) {
    if (prefix3 !== "" && namespace !== xmlNamespace) prefixes.set(`xmlns:${prefix3}`, namespace);
  }
  return [...prefixes];
}
function escaped(text3) {
  return text3.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "&#13;");
}
function quoted(value) {
  return escaped(value).replaceAll('"', "&quot;").replaceAll("	", "&#9;").replaceAll("\n", "&#10;");
}
function readProperties(parent, type, prefix3, ignoreUnknown, values) {
  const given = /* @__PURE__ */ new Set();
  for (const element3 of childElements(parent)) {
    if (element3.namespace !== dataNamespace) continue;
    const property2 = type.property(element3.name);
    if (property2 === void 0) {
      if (!ignoreUnknown) throw unknownMember(prefix3, element3.name, type);
      continue;
    }
    if (given.has(property2)) throw payloadFault(`'${prefix3}${property2.name}' is there twice.`);
    given.add(property2);
    setMember(values, property2.name, readProperty(element3, property2, prefix3, ignoreUnknown));
  }
}
function readProperty(element3, { name, type }, prefix3, ignoreUnknown) {
  const path2 = prefix3 + name;
  const typeName = attributeOf(element3, "type", metadataNamespace)?.trim() ?? "";
  if (!isPrimitive(type)) {
    if (typeName !== "") checkComplexType(type, typeName, path2);
    return readComplex(element3, type, path2, ignoreUnknown);
  }
  if (typeName !== "" && typeName !== type) {
    throw payloadFault(
      `'${path2}' is of type ${type}: write m:type="${type}" or leave it out, instead of '${shortened(typeName)}'.`
    );
  }
  return isNull(element3) ? null : readSimple(element3, type, path2);
}
function readComplex(element3, type, path2, ignoreUnknown) {
  if (isNull(element3)) return nullMembers(type);
  const text3 = ownText(element3).trim();
  if (text3 !== "") {
    throw valueMismatch(path2, type, "an element for each member", `the text '${shortened(text3)}'`);
  }
  const values = {};
  readProperties(element3, type, `${path2}/`, ignoreUnknown, values);
  return values;
}
function readSimple(element3, type, path2) {
  const [inner] = childElements(element3);
  if (inner !== void 0) throw valueMismatch(path2, type, textExamples[type], shownElement(inner));
  return simpleValue(ownText(element3), type, path2);
}
function simpleValue(text3, type, path2) {
  const value = valueOfText(type, type === "Edm.String" ? text3 : text3.trim());
  if (value !== void 0) return value;
  const found = text3 === "" ? `nothing; null is m:null="true"` : `'${shortened(text3)}'`;
  throw valueMismatch(path2, type, textExamples[type], found);
}
function isNull(element3) {
  const value = attributeOf(element3, "null", metadataNamespace)?.trim();
  return value === "true" || value === "1";
}

// lib/formats/atom/atom-format.ts
init_escape_xml();
var xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';
var declareData = ` xmlns="${dataNamespace}"`;
var declareMetadata = ` xmlns:m="${metadataNamespace}"`;
var elementName = /^[A-Za-z_][\w.-]*$/;
var linksWriter = {
  open(inlineCount) {
    const opening = `${xmlDeclaration}<links xmlns="${dataNamespace}"`;
    if (inlineCount === void 0) return `${opening}>`;
    return `${opening} xmlns:m="${metadataNamespace}"><m:count>${inlineCount}</m:count>`;
  },
  link: (uri) => `<uri>${escapeText(uri)}</uri>`,
  close: (next) => next === void 0 ? "</links>" : `<next>${escapeText(next)}</next></links>`
};
var atomFormat = {
  name: "atom",
  read: atomReader,
  serviceDocument,
  feed: feedWriter,
  entry: (projection2, batch, context2) => xmlDeclaration + entryWriter(projection2)(batch, 0, context2, atomDeclarations(context2)),
  value: valueDocument,
  values: valuesDocument,
  link: linkDocument,
  links: linksWriter,
  error: errorDocument
};
function feedWriter(projection2) {
  const write = entryWriter(projection2);
  return {
    open: (info, context2) => xmlDeclaration + openFeed(info, context2, atomDeclarations(context2)),
    entry: (batch, index, _isFirst, context2) => write(batch, index, context2),
    close: closeFeed
  };
}
function linkDocument(uri) {
  return `${xmlDeclaration}<uri xmlns="${dataNamespace}">${escapeText(uri)}</uri>`;
}
function errorDocument({ code, message, innererror }) {
  const inner = innererror === void 0 ? "" : innerError(innererror);
  return `${xmlDeclaration}<error xmlns="${metadataNamespace}"><code>${escapeText(code)}</code><message xml:lang="en">${escapeText(message)}</message>${inner}</error>`;
}
function innerError(data) {
  try {
    return `<innererror>${contentOf2(data)}</innererror>`;
  } catch {
    return "";
  }
}
function contentOf2(data) {
  if (typeof data === "string") return escapeText(data);
  if (typeof data === "number" || typeof data === "boolean" || typeof data === "bigint") return String(data);
  if (typeof data !== "object" || data === null) return "";
  return Object.entries(data).filter(([name, value]) => elementName.test(name) && value !== void 0).flatMap(
    ([name, value]) => name === "errordetails" && Array.isArray(value) ? element2(name, contentOf2({ errordetail: value })) : (Array.isArray(value) ? value : [value]).map((one) => element2(name, contentOf2(one)))
  ).join("");
}
function element2(name, content) {
  return `<${name}>${content}</${name}>`;
}
function serviceDocument(model3, { root: root2 }) {
  const collections = model3.entityContainers.flatMap(
    ({ entitySets }) => entitySets.map(
      ({ path: path2 }) => `<collection href="${percentEncode(path2)}"><atom:title>${path2}</atom:title></collection>`
    )
  );
  return `${xmlDeclaration}<service xml:base="${root2}" xmlns="${appNamespace}" xmlns:atom="${atomNamespace}"><workspace><atom:title>Default</atom:title>${collections.join("")}</workspace></service>`;
}
function valueDocument({ name, type, precision }, content) {
  const needsMetadata = type !== "Edm.String" || content === null || content === void 0;
  const declarations = declareData + (needsMetadata ? declareMetadata : "");
  return xmlDeclaration + valueElement(name, type, precision, content, declarations);
}
function valuesDocument({ name, type, precision }, contents) {
  const isNamed = !isPrimitive(type);
  const hasNull = contents.some((content) => content === null || content === void 0);
  const declarations = declareData + (isNamed || hasNull ? declareMetadata : "");
  const elements = contents.map((content) => elementOf2(type, precision, content));
  return `${xmlDeclaration}<${name}${declarations}>${elements.join("")}</${name}>`;
}
function elementOf2(type, precision, content) {
  if (!isPrimitive(type)) return valueElement("element", type, precision, content, "");
  if (content === null || content === void 0) return '<element m:null="true"/>';
  const text3 = escapeText(plainText[type](content, precision));
  return `<element${preserveSpace(text3)}>${text3}</element>`;
}
function valueElement(name, type, precision, content, declarations) {
  if (!isPrimitive(type)) {
    const row = content ?? {};
    const members = type.properties.map(
      (member) => valueElement(member.name, member.type, member.precision, row[member.name], "")
    );
    return `<${name}${declarations} m:type="${type.qualifiedName}">${members.join("")}</${name}>`;
  }
  const typed = type === "Edm.String" ? "" : ` m:type="${type}"`;
  if (content === null || content === void 0) return `<${name}${declarations}${typed} m:null="true"/>`;
  const text3 = escapeText(plainText[type](content, precision));
  return `<${name}${declarations}${typed}${preserveSpace(text3)}>${text3}</${name}>`;
}
function atomDeclarations({ root: root2 }) {
  return ` xml:base="${root2}" xmlns="${atomNamespace}" xmlns:d="${dataNamespace}" xmlns:m="${metadataNamespace}"`;
}

// lib/formats/json/json-string.ts
var special3 = /["\\\u0000-\u001f\ud800-\udfff]/;
var shortText = 40;
function jsonString(text3) {
  return `"${escapeString(text3)}"`;
}
function escapeString(text3) {
  if (text3.length > shortText) return special3.test(text3) ? escaped2(text3) : text3;
  for (let index = 0; index < text3.length; index++) {
    const unit = text3.charCodeAt(index);
    if (unit < 32 || unit === 34 || unit === 92 || unit >= 55296 && unit <= 57343) {
      return escaped2(text3);
    }
  }
  return text3;
}
function escaped2(text3) {
  return JSON.stringify(text3).slice(1, -1);
}

// lib/formats/json/values.ts
var bare2 = { content: "Text", before: "", after: "" };
var quoted2 = { content: "Text", before: '"', after: '"' };
var jsonForms = {
  "Edm.String": { content: "String", before: "", after: "" },
  "Edm.Boolean": bare2,
  "Edm.Byte": bare2,
  "Edm.SByte": bare2,
  "Edm.Int16": bare2,
  "Edm.Int32": bare2,
  "Edm.Int64": quoted2,
  "Edm.Decimal": quoted2,
  "Edm.Double": { ...quoted2, mayBeNumber: true },
  "Edm.Single": { ...quoted2, mayBeNumber: true },
  "Edm.Guid": quoted2,
  "Edm.Binary": quoted2,
  "Edm.DateTime": { content: "Milliseconds", before: '"\\/Date(', after: ')\\/"' },
  // Clients disagree whether the ticks before an offset are local or universal; with +0000 it is the same.
  "Edm.DateTimeOffset": { content: "Milliseconds", before: '"\\/Date(', after: '+0000)\\/"' },
  "Edm.Time": quoted2
};
function jsonValue(type, value, { doubleAsNumber }) {
  const { before, after, mayBeNumber } = jsonForms[type];
  const number5 = doubleAsNumber && mayBeNumber ? finiteNumber(type, value) : void 0;
  return number5 ?? before + jsonContent(type)(value) + after;
}
function jsonContent(type) {
  switch (jsonForms[type].content) {
    case "Text":
      return plainText[type];
    case "String":
      return (value) => typeof value === "string" ? jsonString(value) : fault2(value, type);
    case "Milliseconds":
      return (value) => milliseconds(type, value);
  }
}
function finiteNumber(type, value) {
  const number5 = operandOf(value, type);
  if (!Number.isFinite(number5)) return void 0;
  return type === "Edm.Single" ? formatSingle(number5) : numberText(number5);
}
function milliseconds(type, value) {
  if (type !== "Edm.DateTime") return integerText(operandOf(value, type).milliseconds);
  if (value instanceof Date) {
    const time = value.getTime();
    return Number.isNaN(time) ? fault2(value, type) : integerText(time);
  }
  const plain2 = typeof value === "string" ? plainMilliseconds(value) : void 0;
  return integerText(plain2 ?? operandOf(value, type).milliseconds);
}

// lib/formats/json/properties.ts
function memberParts(properties, before, owners = []) {
  return properties.flatMap(
    (property2, index) => partsOf3(property2, index === 0 ? before : ",", [...owners, property2])
  );
}
function partsOf3({ name, type }, before, path2) {
  const label = `${before}"${name}":`;
  if (!isPrimitive(type)) return [text2(`${label}{`), ...memberParts(type.properties, "", path2), text2("}")];
  const { content, before: opening, after: closing, mayBeNumber } = jsonForms[type];
  return [
    {
      kind: "Value",
      type,
      content,
      path: path2,
      opening: label + opening,
      closing,
      ...mayBeNumber && { ofNumber: { opening: label, closing: "" } },
      whenNull: `${label}null`
    }
  ];
}
var valueFormat2 = { forms: forms2, formatter: formatter2 };
function forms2({ content, opening, closing, ofNumber, whenNull }) {
  const quote = content === "String" ? '"' : "";
  return {
    ofValue: { opening: opening + quote, closing: quote + closing },
    ofException: ofNumber,
    whenNull
  };
}
function formatter2({ type, content, ofNumber }, column2) {
  const format2 = cellFormatter(column2, content === "String" ? stringContent : jsonContent(type));
  if (content === "Milliseconds") {
    const millisecondsOf = column2?.milliseconds;
    if (millisecondsOf === void 0) return { format: format2 };
    return {
      format(cell) {
        const milliseconds2 = millisecondsOf(cell);
        return milliseconds2 === void 0 ? format2(cell) : integerText(milliseconds2);
      }
    };
  }
  const plainText2 = column2?.plainText;
  const formatCell = plainText2 === void 0 ? format2 : (cell) => plainText2(cell) ?? format2(cell);
  if (ofNumber === void 0) return { format: formatCell };
  const decode = column2?.decode;
  const numberOf = (cell) => plainText2?.(cell) ?? finiteNumber(type, decode === void 0 ? cell : decode(cell));
  return {
    format: formatCell,
    isException: (cell, { doubleAsNumber }) => doubleAsNumber && numberOf(cell) !== void 0,
    formatException: (cell) => numberOf(cell) ?? ""
  };
}
function stringContent(value) {
  return typeof value === "string" ? escapeString(value) : fault2(value, "Edm.String");
}
function valueText(type, value, context2) {
  if (!isPrimitive(type)) return complexText(type, value, context2);
  return value === null || value === void 0 ? "null" : jsonValue(type, value, context2);
}
function complexText({ properties }, value, context2) {
  const members = properties.map(({ name, type }) => {
    const member = memberOf(value ?? {}, name);
    return `"${name}":${valueText(type, member, context2)}`;
  });
  return `{${members.join(",")}}`;
}

// lib/formats/json/entry.ts
var entryWriter2 = entryWriters(entryTemplate2, valueFormat2);
function entryTemplate2(projection2, type) {
  const { set: set2 } = projection2;
  return [
    ...metadataParts(set2, type),
    ...memberParts(selectedProperties(projection2, type), ","),
    ...selectedNavigation(projection2, type).flatMap((one) => navigationParts(one, projection2)),
    text2("}")
  ];
}
var address = [{ kind: "Root" }, { kind: "Path" }];
function metadataParts(set2, type) {
  const tag = tagParts(type, '\\"');
  const tagMember = tag.length === 0 ? [] : [text2(',"etag":"'), ...tag, text2('"')];
  const media = type.hasStream ? [mediaPart(set2)] : [];
  const typeName = text2(`","type":"${type.qualifiedName}"`);
  return [text2('{"__metadata":{"uri":"'), ...address, typeName, ...tagMember, ...media, text2("}")];
}
function mediaPart(set2) {
  return {
    kind: "Computed",
    write(row, path2, context2) {
      const media = context2.media(set2);
      const contentType = media?.contentType(row) ?? "application/octet-stream";
      const tag = media?.etag?.(row);
      const source = `"${context2.root}${path2}/$value"`;
      const tagPart = tag === void 0 ? "" : `,"media_etag":${jsonString(tag)}`;
      return `,"content_type":${jsonString(contentType)},"media_src":${source},"edit_media":${source}${tagPart}`;
    }
  };
}
function navigationParts(navigation, projection2) {
  const label = `,"${navigation.name}":`;
  const position = projection2.expansions.findIndex((one) => one.navigation === navigation);
  const expansion = projection2.expansions[position];
  if (expansion === void 0) {
    return [text2(`${label}{"__deferred":{"uri":"`), ...address, text2(`/${percentEncode(navigation.name)}"}}`)];
  }
  if (navigation.isCollection) return [text2(label), inlineFeed2(expansion, position)];
  return [
    {
      kind: "InlineEntry",
      expansion: position,
      opening: label,
      closing: "",
      whenNone: `${label}null`
    }
  ];
}
function inlineFeed2({ navigation, projection: projection2, expandText, selectText }, position) {
  const writeToken = keyTokenWriter(projection2.entityType);
  const name = percentEncode(navigation.name);
  return {
    kind: "InlineFeed",
    expansion: position,
    open: (_path, { version }) => version === "1.0" ? "[" : '{"results":[',
    separator: ",",
    close: ({ version }) => version === "1.0" ? "]" : "]}",
    closingOfCut(path2, last, root2) {
      const query = nextExpandedQuery(expandText, selectText, writeToken(last));
      return `],"__next":${jsonString(`${root2}${path2}/${name}?${query}`)}}`;
    }
  };
}

// lib/formats/json/read-document.ts
init_suggestions();

// lib/errors/syntax-error.ts
init_odata_error();
var window = 60;
function errorAt(message, source, position, code = "InvalidSystemQueryOption") {
  return new ODataError(code, {
    message: `${sentence(message)} At position ${position}:
${caret(source, position)}`,
    details: { position, source }
  });
}
function sentence(message) {
  return /[.?!]$/.test(message) ? message : `${message}.`;
}
function caret(source, position) {
  const start = Math.max(0, position - window);
  const end = Math.min(source.length, position + window);
  const before = start > 0 ? "\u2026" : "";
  const after = end < source.length ? "\u2026" : "";
  const line = source.slice(start, end).replace(/[\t\r\n]/g, " ");
  return `${before}${line}${after}
${" ".repeat(before.length + position - start)}^`;
}

// lib/formats/json/parse-json.ts
var JsonNumber = class {
  constructor(text3) {
    this.text = text3;
  }
  text;
};
var maximumDepth2 = 100;
var whiteSpace2 = /[ \t\n\r]*/y;
var number3 = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
var plainString = /[^"\\\u0000-\u001f]*/y;
var word = /true|false|null/y;
function parseJson(text3) {
  return new JsonParser(text3).document();
}
var JsonParser = class {
  constructor(text3) {
    this.text = text3;
  }
  text;
  position = 0;
  document() {
    if (this.text.startsWith("\uFEFF")) this.position = 1;
    const value = this.value(0);
    this.skip();
    if (this.position < this.text.length) throw this.unexpected();
    return value;
  }
  value(depth) {
    this.skip();
    switch (this.text[this.position]) {
      case "{":
        return this.object(depth + 1);
      case "[":
        return this.array(depth + 1);
      case '"':
        return this.string();
      default:
        return this.scalar();
    }
  }
  object(depth) {
    this.open(depth);
    const members = /* @__PURE__ */ new Map();
    if (this.accept("}")) return members;
    do {
      this.skip();
      if (this.text[this.position] !== '"') throw this.unexpected();
      const start = this.position;
      const name = this.string();
      if (members.has(name)) throw this.error("This member is there twice", start);
      if (!this.accept(":")) throw this.unexpected();
      members.set(name, this.value(depth));
    } while (this.accept(","));
    if (!this.accept("}")) throw this.unexpected();
    return members;
  }
  array(depth) {
    this.open(depth);
    const items = [];
    if (this.accept("]")) return items;
    do
      items.push(this.value(depth));
    while (this.accept(","));
    if (!this.accept("]")) throw this.unexpected();
    return items;
  }
  open(depth) {
    if (depth > maximumDepth2) throw this.error(`Arrays and objects are nested deeper than ${maximumDepth2}`);
    this.position++;
  }
  string() {
    const start = this.position + 1;
    this.position = start;
    this.match(plainString);
    if (this.text[this.position] === '"') return this.text.slice(start, this.position++);
    while (this.text[this.position] === "\\") {
      this.position += 2;
      this.match(plainString);
    }
    if (this.text[this.position] !== '"') throw this.unexpected();
    this.position++;
    try {
      return JSON.parse(this.text.slice(start - 1, this.position));
    } catch {
      throw this.error("The body is not JSON: this string has an escape that does not exist", start - 1);
    }
  }
  scalar() {
    const literal2 = this.match(word);
    if (literal2 !== "") return literal2 === "null" ? null : literal2 === "true";
    const digits2 = this.match(number3);
    if (digits2 === "") throw this.unexpected();
    return new JsonNumber(digits2);
  }
  /** What the pattern matches here; nothing when it does not. */
  match(pattern3) {
    pattern3.lastIndex = this.position;
    const found = pattern3.exec(this.text)?.[0] ?? "";
    this.position += found.length;
    return found;
  }
  skip() {
    this.match(whiteSpace2);
  }
  accept(character) {
    this.skip();
    if (this.text[this.position] !== character) return false;
    this.position++;
    return true;
  }
  unexpected() {
    const { text: text3, position } = this;
    if (position >= text3.length) return this.error("The body is not JSON: it ends too early", text3.length);
    const character = String.fromCodePoint(text3.codePointAt(position) ?? 0);
    return this.error(`The body is not JSON: unexpected ${JSON.stringify(character)}`);
  }
  error(message, position = this.position) {
    return errorAt(message, this.text, position, "BadRequest");
  }
};

// lib/formats/json/metadata.ts
var none = { uri: void 0, type: void 0 };
function metadataOf(object, path2) {
  const metadata = object.get("__metadata");
  if (metadata === void 0) return none;
  const place4 = path2 === "" ? "__metadata" : `${path2}/__metadata`;
  if (!isObject(metadata)) {
    throw payloadFault(`'${place4}' must be an object with 'uri' or 'type', not ${shownJson(metadata)}.`);
  }
  return { uri: textMember(metadata, "uri", place4), type: textMember(metadata, "type", place4) };
}
function textMember(object, name, place4) {
  const value = object.get(name) ?? void 0;
  if (value === void 0 || typeof value === "string") return value;
  throw payloadFault(`'${place4}/${name}' must be a string, not ${shownJson(value)}.`);
}
function isObject(json) {
  return json instanceof Map;
}
function isArray(json) {
  return Array.isArray(json);
}
function isControlName(name, type) {
  if (!name.startsWith("__") || name === "__proto__") return false;
  if (type === void 0) return true;
  const isNavigation = type.kind === "EntityType" && type.navigationProperty(name) !== void 0;
  return type.property(name) === void 0 && !isNavigation;
}
function shownJson(json) {
  if (typeof json === "string") return `the string '${shortened(json)}'`;
  if (json instanceof JsonNumber) return shortened(json.text);
  if (isArray(json)) return "an array";
  return isObject(json) ? "an object" : String(json);
}

// lib/formats/json/read-simple-values.ts
function simpleValue2(type, json) {
  switch (type) {
    case "Edm.Boolean":
      return typeof json === "boolean" ? json : void 0;
    case "Edm.Byte":
    case "Edm.SByte":
    case "Edm.Int16":
    case "Edm.Int32":
    case "Edm.Int64":
      return json instanceof JsonNumber ? wholeNumber(type, json.text) : textValue(type, json);
    case "Edm.Decimal":
    case "Edm.Double":
    case "Edm.Single":
      return textValue(type, json instanceof JsonNumber ? json.text : json);
    case "Edm.DateTime":
    case "Edm.DateTimeOffset":
      return typeof json === "string" ? tickedValue(type, json) ?? valueOfText(type, json) : void 0;
    default:
      return textValue(type, json);
  }
}
function textValue(type, json) {
  return typeof json === "string" ? valueOfText(type, json) : void 0;
}
var plainDigits2 = /^-?\d+$/;
var longestNumber = 400;
function wholeNumber(type, text3) {
  if (plainDigits2.test(text3) || text3.length > longestNumber) return valueOfText(type, text3);
  const decimal = parseDecimal(text3);
  if (decimal === void 0) return void 0;
  const whole = truncateDecimal(decimal);
  return whole * 10n ** BigInt(decimal.scale) === decimal.coefficient ? valueOfText(type, String(whole)) : void 0;
}
var ticked = /^\/Date\((-?\d{1,15})(?:([+-])(\d{1,4}))?\)\/$/;
var maximumOffset2 = 14 * 60;
function tickedValue(type, text3) {
  const match = ticked.exec(text3);
  if (match === null) return void 0;
  const [, ticks2, sign, minutes = "0"] = match;
  const offset = sign === "-" ? 0 - Number(minutes) : Number(minutes);
  if (Math.abs(offset) > maximumOffset2 || offset !== 0 && type === "Edm.DateTime") return void 0;
  const local = Number(ticks2) + 0;
  const universal = local - offset * 6e4;
  const [first, last] = [Math.min(local, universal), Math.max(local, universal)];
  return first >= earliest && last <= latest ? primitiveTypes[type].toValue(new Instant(universal, 0, offset)) : void 0;
}

// lib/formats/json/read-document.ts
var jsonReader = {
  entity(text3, type, options) {
    const json = contentOf3(parseJson(text3), (name) => holdsObject(options.untyped ?? type, name));
    if (isObject(json)) return readEntity(json, type, "", options);
    throw payloadFault(`The body must be an object with the properties of an entity, not ${shownJson(json)}.`);
  },
  property(text3, property2) {
    const json = contentOf3(parseJson(text3), (name) => name === property2.name);
    return readValue(property2, memberOf2(json, property2), "", false);
  },
  link(text3) {
    const json = contentOf3(parseJson(text3), () => false);
    const uri = isObject(json) ? json.get("uri") : void 0;
    if (typeof uri === "string" && uri.trim() !== "") return uri.trim();
    throw payloadFault(`The body must be a link such as {"uri":"Products(1)"}.`);
  }
};
function contentOf3(json, isOwn) {
  return unwrapped(unwrapped(json, "d", isOwn), "results", isOwn);
}
function unwrapped(json, name, isOwn) {
  const content = isObject(json) && namesOf(json).length === 1 ? json.get(name) : void 0;
  if (isArray(content)) return isOwn(name) ? json : content;
  if (!isObject(content)) return json;
  return isOwn(name) && !content.has(name) ? json : content;
}
function namesOf(json) {
  return [...json.keys()].filter((name) => !isControlName(name));
}
function holdsObject(type, name) {
  const property2 = type.property(name);
  return property2 === void 0 ? type.navigationProperty(name) !== void 0 : !isPrimitive(property2.type);
}
function memberOf2(json, { name, type }) {
  const wanted = `The body must be an object {"${name}":${isPrimitive(type) ? "\u2026" : "{\u2026}"}}`;
  if (!isObject(json)) throw payloadFault(`${wanted}, not ${shownJson(json)}.`);
  const other = namesOf(json).find((one) => one !== name);
  if (other !== void 0) {
    throw payloadFault(`${wanted}, without '${shortened(other)}'.${didYouMean(other, [name])}`);
  }
  const value = json.get(name);
  if (value === void 0) throw payloadFault(`${wanted}; it is empty.`);
  return value;
}
function readEntity(json, declared, path2, options) {
  const { uri, type: typeName } = metadataOf(json, path2);
  const type = typeName === void 0 ? options.untyped ?? declared : namedEntityType(declared, typeName, path2);
  const prefix3 = path2 === "" ? "" : `${path2}/`;
  const values = {};
  const links = /* @__PURE__ */ new Map();
  for (const [name, member] of json) {
    if (isControlName(name, type)) continue;
    const property2 = type.property(name);
    if (property2 !== void 0) {
      setMember(values, name, readValue(property2, member, prefix3, options.ignoreUnknown));
      continue;
    }
    const navigation = type.navigationProperty(name);
    if (navigation !== void 0) {
      const link = readLink(navigation, member, prefix3 + name, uri, options);
      if (link !== void 0) links.set(name, link);
    } else if (!options.ignoreUnknown) throw unknownMember(prefix3, name, type);
  }
  return { typeName: typeName === void 0 ? void 0 : type.qualifiedName, uri, values, links };
}
function readLink(navigation, json, path2, self, options) {
  const deferred = deferredUri(json, path2);
  if (deferred !== void 0) {
    const selves = self === void 0 ? [] : [self];
    if (isEcho(deferred, navigation.name, selves, options.service)) return void 0;
    return { kind: "Bind", uris: [deferred] };
  }
  if (navigation.isCollection) return collectionLink(navigation, json, path2, options);
  if (json === null) return { kind: "Unlink" };
  if (!isObject(json)) {
    throw payloadFault(`'${path2}' leads to one entity: write an object or null, not ${shownJson(json)}.`);
  }
  const uri = boundUri(json, navigation.targetType, path2);
  if (uri !== void 0) return { kind: "Bind", uris: [uri] };
  return {
    kind: "Inline",
    entities: [readEntity(json, navigation.targetType, path2, optionsInside(options, path2))]
  };
}
function collectionLink({ targetType }, json, path2, options) {
  const items = isObject(json) ? json.get("results") : json;
  if (!isArray(items)) {
    throw payloadFault(`'${path2}' leads to many entities: write an array, not ${shownJson(json)}.`);
  }
  const uris = [];
  const entities = [];
  for (const [index, item] of items.entries()) {
    const place4 = `${path2}[${index}]`;
    if (!isObject(item)) throw payloadFault(`'${place4}' must be an object, not ${shownJson(item)}.`);
    const uri = deferredUri(item, place4) ?? boundUri(item, targetType, place4);
    if (uri === void 0) entities.push(readEntity(item, targetType, place4, optionsInside(options, place4)));
    else uris.push(uri);
  }
  return collectionOf(uris, entities);
}
function deferredUri(json, path2) {
  const deferred = isObject(json) ? json.get("__deferred") : void 0;
  if (deferred === void 0) return void 0;
  const uri = isObject(deferred) ? deferred.get("uri") : void 0;
  if (typeof uri === "string") return uri;
  throw payloadFault(`'${path2}/__deferred' must be an object with the string 'uri'.`);
}
function boundUri(json, type, path2) {
  for (const name of json.keys()) if (!isControlName(name, type)) return void 0;
  return metadataOf(json, path2).uri;
}
var number4 = "as a number without quotes";
var examples = {
  ...textExamples,
  "Edm.Byte": `${textExamples["Edm.Byte"]} ${number4}`,
  "Edm.SByte": `${textExamples["Edm.SByte"]} ${number4}`,
  "Edm.Int16": `${textExamples["Edm.Int16"]} ${number4}`,
  "Edm.Int32": `${textExamples["Edm.Int32"]} ${number4}`,
  "Edm.Boolean": "true or false without quotes",
  "Edm.DateTime": `'/Date(1338282808000)/' or ${textExamples["Edm.DateTime"]}`,
  "Edm.DateTimeOffset": `'/Date(1338282808000+0000)/' or ${textExamples["Edm.DateTimeOffset"]}`,
  "Edm.String": "a string"
};
function readValue(property2, json, prefix3, ignoreUnknown) {
  const { name, type } = property2;
  if (!isPrimitive(type)) return readComplex2(type, json, prefix3 + name, ignoreUnknown);
  if (json === null) return null;
  const value = simpleValue2(type, json);
  if (value === void 0) throw valueMismatch(prefix3 + name, type, examples[type], shownJson(json));
  return value;
}
function readComplex2(type, json, path2, ignoreUnknown) {
  if (json === null) return nullMembers(type);
  if (!isObject(json)) throw valueMismatch(path2, type, "an object with its members", shownJson(json));
  const typeName = metadataOf(json, path2).type;
  if (typeName !== void 0) checkComplexType(type, typeName, path2);
  const values = {};
  for (const [name, member] of json) {
    if (isControlName(name, type)) continue;
    const property2 = type.property(name);
    if (property2 !== void 0)
      setMember(values, name, readValue(property2, member, `${path2}/`, ignoreUnknown));
    else if (!ignoreUnknown) throw unknownMember(`${path2}/`, name, type);
  }
  return values;
}

// lib/formats/json/json-format.ts
var linksWriter2 = {
  open: (inlineCount, { version }) => openList(inlineCount, version),
  link: (uri, isFirst) => `${isFirst ? "" : ","}{"uri":${jsonString(uri)}}`,
  close: (next, { version }) => closeList(next, version)
};
var jsonFormat = {
  name: "json",
  read: jsonReader,
  serviceDocument(model3) {
    const sets = model3.entityContainers.flatMap(({ entitySets }) => entitySets);
    return `{"d":{"EntitySets":[${sets.map(({ path: path2 }) => jsonString(path2)).join(",")}]}}`;
  },
  feed: feedWriter2,
  entry: (projection2, batch, context2) => `{"d":${entryWriter2(projection2)(batch, 0, context2)}}`,
  value: ({ name, type }, content, context2) => `{"d":{"${name}":${valueText(type, content, context2)}}}`,
  values({ type }, contents, context2) {
    const texts = contents.map((content) => valueText(type, content, context2));
    return openList(void 0, context2.version) + texts.join(",") + closeList(void 0, context2.version);
  },
  link: (uri) => `{"d":{"uri":${jsonString(uri)}}}`,
  links: linksWriter2,
  error: errorDocument2
};
function errorDocument2({ code, message, innererror }) {
  const error = { code, message: { lang: "en", value: message } };
  if (innererror === void 0) return JSON.stringify({ error });
  try {
    return JSON.stringify({ error: { ...error, innererror } }, bigintAsText);
  } catch {
    return JSON.stringify({ error });
  }
}
function bigintAsText(_name, value) {
  return typeof value === "bigint" ? String(value) : value;
}
function feedWriter2(projection2) {
  const write = entryWriter2(projection2);
  return {
    open: ({ inlineCount }, { version }) => openList(inlineCount, version),
    entry: (batch, index, isFirst, context2) => (isFirst ? "" : ",") + write(batch, index, context2),
    close: (next, { version }) => closeList(next, version)
  };
}
function openList(inlineCount, version) {
  if (version === "1.0") return '{"d":[';
  return inlineCount === void 0 ? '{"d":{"results":[' : `{"d":{"__count":"${inlineCount}","results":[`;
}
function closeList(next, version) {
  if (version === "1.0") return "]}";
  return next === void 0 ? "]}}" : `],"__next":${jsonString(next)}}}`;
}

// spec/bench/shop/model.mjs
function shopModel({ defineModel: defineModel2, edm: edm2 }) {
  return defineModel2({
    namespace: "Shop",
    entityTypes: {
      Category: {
        key: ["ID"],
        properties: { ID: edm2.Int16({ nullable: false }), Name: edm2.String({ nullable: false }) },
        navigationProperties: {
          Products: { relationship: "CategoryProducts", fromRole: "Category", toRole: "Products" }
        }
      },
      Product: {
        key: ["ID"],
        properties: {
          ID: edm2.Int32({ nullable: false }),
          Name: edm2.String({ nullable: false, maxLength: 80 }),
          Description: edm2.String(),
          Price: edm2.Decimal({ nullable: false, precision: 10, scale: 2 }),
          Stock: edm2.Int64(),
          CategoryID: edm2.Int16({ nullable: false }),
          Weight: edm2.Double(),
          Active: edm2.Boolean({ nullable: false }),
          Released: edm2.DateTime({ precision: 3 }),
          Code: edm2.Guid()
        }
      }
    },
    associations: {
      CategoryProducts: {
        ends: {
          Category: { type: "Category", multiplicity: "1" },
          Products: { type: "Product", multiplicity: "*" }
        },
        referentialConstraint: {
          principal: { role: "Category", properties: ["ID"] },
          dependent: { role: "Products", properties: ["CategoryID"] }
        }
      }
    },
    entityContainer: {
      entitySets: { Categories: { entityType: "Category" }, Products: { entityType: "Product" } }
    }
  });
}

// spec/bench/shop/rows.mjs
var productCount = 1e4;
var perCategory = 100;
var day = 864e5;
function product(id) {
  return {
    ID: id,
    Name: `Product ${id * 7919 % productCount}`,
    Description: `What there is to say about product ${id}, in a sentence or two of plain text.`,
    Price: id % 90 + 0.5,
    Stock: id * 1000003,
    CategoryID: Math.ceil(id / perCategory),
    Weight: id / 8,
    Active: id % 3 > 0 ? 1 : 0,
    Released: new Date(Date.UTC(2020, 0, 1) + id % 1e3 * day + id).toISOString().slice(0, 23),
    Code: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`
  };
}
var productColumns = Object.keys(product(1));

// lib/providers/sql/postgres-wire/data-rows.ts
var dataRowCells = {
  cells(source, position) {
    const bytes2 = source;
    const count = int16At(bytes2, position);
    const cells = [];
    let at2 = position + 2;
    for (let index = 0; index < count; index++) {
      const length = int32At(bytes2, at2);
      at2 += 4;
      if (length < 0) cells.push(null);
      else cells.push(bytes2.slice(at2, at2 += length));
    }
    return cells;
  },
  cell(source, position, index) {
    const bytes2 = source;
    if (index >= int16At(bytes2, position)) return void 0;
    let at2 = position + 2;
    for (let left = index; left > 0; left--) at2 += 4 + Math.max(0, int32At(bytes2, at2));
    const length = int32At(bytes2, at2);
    return length < 0 ? null : bytes2.slice(at2 + 4, at2 + 4 + length);
  }
};
function int16At(bytes2, at2) {
  return bytes2.charCodeAt(at2) << 8 | bytes2.charCodeAt(at2 + 1);
}
function int32At(bytes2, at2) {
  return int16At(bytes2, at2) << 16 | int16At(bytes2, at2 + 2);
}
var afterAscii = /[\u0080-\u00ff]/;
function decodeUtf8(cell) {
  const bytes2 = cell;
  return afterAscii.test(bytes2) ? Buffer.from(bytes2, "latin1").toString() : bytes2;
}

// lib/providers/sql/postgres-wire/text-columns.ts
var shortNumber = /^(?:0|-?(?:[1-9]\d{0,7}|0)\.\d{1,7}|-?[1-9]\d{0,14})$/;
var plainString2 = /^[ !#-%'-;=?-[\]-~]*$/;
var same = (cell) => cell;
var integer2 = { decode: Number, plainText: same };
var checkedNumber = { decode: Number };
function textColumn({ type, facts: { dataType } }) {
  switch (type) {
    case "Edm.Boolean":
      return { decode: (cell) => cell === "t", plainText: (cell) => cell === "t" ? "true" : "false" };
    case "Edm.Byte":
    case "Edm.SByte":
    case "Edm.Single":
      return checkedNumber;
    case "Edm.Int16":
      return dataType === "int2" ? integer2 : checkedNumber;
    case "Edm.Int32":
      return dataType === "int2" || dataType === "int4" ? integer2 : checkedNumber;
    case "Edm.Int64":
      return ["int2", "int4", "int8"].includes(dataType) ? { plainText: same } : {};
    case "Edm.Decimal":
      return { plainText: (cell) => endsWithDigit(cell) ? cell : void 0 };
    case "Edm.Double":
      return {
        decode: Number,
        plainText: (cell) => shortNumber.test(cell) ? cell : void 0
      };
    case "Edm.Guid":
      return dataType === "uuid" ? { plainText: same } : {};
    case "Edm.Binary":
      return { decode: (cell) => bytesOf(cell) };
    case "Edm.DateTime":
      return {
        decode: (cell) => cell.replace(" ", "T"),
        plainText: (cell, precision) => dateTimeText(cell, precision),
        milliseconds: (cell) => millisecondsOfText(cell)
      };
    case "Edm.DateTimeOffset":
      return {
        decode: (cell) => `${cell.replace(" ", "T")}Z`,
        milliseconds: (cell) => millisecondsOfText(cell)
      };
    case "Edm.Time":
      return {};
    case "Edm.String":
      return {
        decode: decodeUtf8,
        plainText: (cell) => plainString2.test(cell) ? cell : void 0
      };
  }
}
function endsWithDigit(text3) {
  const last = text3.charCodeAt(text3.length - 1);
  return last >= 48 && last <= 57;
}
function dateTimeText(cell, precision) {
  const isDateTime = cell.length >= 19 && cell.charCodeAt(4) === 45 && cell.charCodeAt(10) === 32 && endsWithDigit(cell);
  if (!isDateTime) return void 0;
  const date = cell.slice(0, 10);
  if (precision === void 0) return `${date}T${cell.slice(11)}`;
  const seconds = `${date}T${cell.slice(11, 19)}`;
  if (precision === 0) return seconds;
  const fraction = cell.slice(20, 20 + precision).padEnd(precision, "0");
  return `${seconds}.${fraction}`;
}
function bytesOf(text3) {
  if (text3.startsWith("\\x")) return Buffer.from(text3.slice(2), "hex");
  const unescaped = text3.replace(
    /\\(\\|\d{3})/g,
    (_, escaped3) => escaped3 === "\\" ? "\\" : String.fromCharCode(Number.parseInt(escaped3, 8))
  );
  return Buffer.from(unescaped, "latin1");
}

// lib/providers/sql/column-fit.ts
function hasNumbers({ facts: { dataType } }) {
  if (dataType.includes("int")) return true;
  if (/char|clob|text|blob/.test(dataType)) return false;
  return dataType !== "";
}

// lib/providers/sql/sql-text.ts
var Sql = class {
  constructor(pieces) {
    this.pieces = pieces;
  }
  pieces;
};
var SqlParameter = class {
  constructor(value) {
    this.value = value;
  }
  value;
};
function sql(strings, ...pieces) {
  const all2 = [];
  strings.forEach((text3, index) => {
    if (text3 !== "") all2.push(text3);
    const piece = pieces[index];
    if (piece !== void 0) all2.push(piece);
  });
  return new Sql(all2);
}
function raw(text3) {
  return new Sql([text3]);
}
function parameter(value) {
  return new Sql([new SqlParameter(value)]);
}
function joined3(parts, separator) {
  const pieces = [];
  parts.forEach((part, index) => {
    if (index > 0) pieces.push(separator);
    pieces.push(part);
  });
  return new Sql(pieces);
}

// lib/providers/sql/dialects/limit-clause.ts
function limitClause(limit, offset, all2) {
  if (limit === void 0 && offset === void 0) return sql``;
  const count = limit === void 0 ? all2 : String(limit);
  return raw(offset === void 0 ? ` limit ${count}` : ` limit ${count} offset ${String(offset)}`);
}

// lib/providers/sql/dialects/text-dates.ts
function isTextDate(type) {
  return type === "Edm.DateTime" || type === "Edm.DateTimeOffset" || type === "Edm.Time";
}
function usualForm(type) {
  return { separator: "T", shortest: "second", digits: 0, zone: type === "Edm.DateTimeOffset" ? "Z" : "" };
}
function formattedDate(value, type, form = usualForm(type)) {
  const { separator, shortest, digits: digits2, zone } = form;
  const [whole = "", fraction = ""] = plainDate(value, type).replace("T", separator).split(".");
  const padded2 = fraction.padEnd(digits2, "0");
  if (padded2 === "" && shortest === "day" && whole.endsWith(`${separator}00:00:00`)) return whole.slice(0, 10);
  if (padded2 === "" && shortest === "minute" && whole.endsWith(":00")) return whole.slice(0, -3) + zone;
  return (padded2 === "" ? whole : `${whole}.${padded2}`) + zone;
}
function paddedDate(value, type) {
  const [whole = "", fraction = ""] = plainDate(value, type).split(".");
  return `${whole}.${fraction.padEnd(7, "0")}`;
}
function shortestTime(value) {
  return plainDate(value, "Edm.Time").replace(/:00$/, "");
}
function plainDate(value, type) {
  switch (type) {
    case "Edm.DateTime":
      return formatDateTime(value);
    case "Edm.DateTimeOffset": {
      const instant = operandOf2(value, type);
      return formatSeconds(instant.milliseconds) + formatFraction(instant, void 0);
    }
    case "Edm.Time":
      return primitiveTypes[type].toValue(operandOf2(value, type));
  }
}
function operandOf2(value, type) {
  const operand = primitiveTypes[type].toOperand(value);
  if (operand === void 0) throw new TypeError(`Not an ${type}: ${String(value)}`);
  return operand;
}

// lib/providers/sql/dialects/text-date-comparisons.ts
function columnDateComparison(operator, column2, value, type) {
  return type === "Edm.Time" ? timeComparison(operator, column2, value) : dateComparison(operator, column2, value, type);
}
function isSameDate(left, right, type) {
  const same2 = sql`${padded(left, type)} = ${padded(right, type)}`;
  const start = sql`substr(${right}, 1, ${raw(type === "Edm.Time" ? "5" : "10")})`;
  return sql`(${left} >= ${start} and ${left} < ${start} || 'U' and ${same2})`;
}
function timeComparison(operator, column2, value) {
  const shortest = parameter(shortestTime(value));
  const longest = parameter(paddedDate(value, "Edm.Time"));
  switch (operator) {
    case "eq":
      return sql`(${column2} >= ${shortest} and ${column2} <= ${longest})`;
    case "lt":
      return sql`(${column2} < ${shortest})`;
    case "le":
      return sql`(${column2} <= ${longest})`;
    case "gt":
      return sql`(${column2} > ${longest})`;
    case "ge":
      return sql`(${column2} >= ${shortest})`;
  }
}
function dateComparison(operator, column2, value, type) {
  const text3 = paddedDate(value, type);
  const [day3, nextDay] = [parameter(text3.slice(0, 10)), parameter(`${text3.slice(0, 10)}U`)];
  const holds = sql`${padded(column2, type)} ${raw(comparisons[operator])} ${parameter(text3)}`;
  switch (operator) {
    case "eq":
      return sql`(${column2} >= ${day3} and ${column2} < ${nextDay} and ${holds})`;
    case "lt":
    case "le":
      return sql`(${column2} < ${nextDay} and (${column2} < ${day3} or ${holds}))`;
    case "gt":
    case "ge":
      return sql`(${column2} >= ${day3} and (${column2} >= ${nextDay} or ${holds}))`;
  }
}
var comparisons = { eq: "=", lt: "<", le: "<=", gt: ">", ge: ">=" };
function padded(column2, type) {
  if (type === "Edm.Time") {
    return sql`substr(${column2} || case when length(${column2}) < 8 then ':00.0000000' when instr(${column2}, '.') > 0 then '0000000' else '.0000000' end, 1, 16)`;
  }
  const text3 = sql`rtrim(replace(replace(${column2}, ' ', 'T'), '+00:00', ''), 'Z')`;
  return sql`substr(${text3} || case length(${text3}) when 10 then 'T00:00:00.0000000' when 16 then ':00.0000000' when 19 then '.0000000' else '0000000' end, 1, 27)`;
}

// lib/providers/sql/dialects/sqlite-valid-values.ts
var hexadecimal2 = "[0-9a-fA-F]";
var guid = [8, 4, 4, 4, 12].map((count) => hexadecimal2.repeat(count)).join("-");
var day2 = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]";
function isValidValue(column2, r) {
  const { type } = column2;
  const isText = `typeof(${r}) = 'text' and length(${r}) = length(cast(${r} as blob))`;
  switch (type) {
    case "Edm.Boolean":
      return `(typeof(${r}) = 'integer' and ${r} in (0, 1))`;
    case "Edm.Byte":
    case "Edm.SByte":
    case "Edm.Int16":
    case "Edm.Int32": {
      const [least, greatest] = integerRanges[type];
      return `(typeof(${r}) = 'integer' and ${r} between ${String(least)} and ${String(greatest)})`;
    }
    case "Edm.Int64":
      return `(typeof(${r}) = 'integer')`;
    case "Edm.Double":
    case "Edm.Single":
      return `(typeof(${r}) in ('integer', 'real'))`;
    case "Edm.Decimal":
      return `(typeof(${r}) = 'integer' or typeof(${r}) = 'real' and abs(${r}) < 9e999 or ${isText} and ${isDigits(r)})`;
    case "Edm.String":
      return hasNumbers(column2) ? `(typeof(${r}) <> 'blob')` : `(typeof(${r}) = 'text')`;
    case "Edm.Binary":
      return `(typeof(${r}) = 'blob')`;
    case "Edm.Guid":
      return `(typeof(${r}) = 'text' and ${r} glob '${guid}')`;
    case "Edm.Time":
      return `(${isText} and ${isClock(r)})`;
    case "Edm.DateTime":
    case "Edm.DateTimeOffset":
      return `(${isText} and ${isDate(r)})`;
  }
}
function isDigits(r) {
  return `${r} not glob '*[^-0-9.]*' and ${r} not glob '*.*.*' and ${r} not glob '?*-*' and ${r} glob '*[0-9]' and (${r} glob '[0-9]*' or ${r} glob '-[0-9]*')`;
}
function isDate(r) {
  const isDay = `substr(${r}, 1, 10) glob '${day2}' and date(substr(${r}, 1, 10)) = substr(${r}, 1, 10) and substr(${r}, 1, 4) >= '0001'`;
  const time = `substr(${r}, 12)`;
  const withoutZone = `case when ${time} glob '*Z' then substr(${time}, 1, length(${time}) - 1) when ${time} glob '*+00:00' then substr(${time}, 1, length(${time}) - 6) else ${time} end`;
  return `${isDay} and (length(${r}) = 10 or substr(${r}, 11, 1) in ('T', ' ') and ${isClock(`(${withoutZone})`)})`;
}
function isClock(r) {
  const clock2 = "[0-2][0-9]:[0-5][0-9]";
  const isWhole2 = `${r} glob '${clock2}' or ${r} glob '${clock2}:[0-5][0-9]'`;
  const isFraction = `${r} glob '${clock2}:[0-5][0-9].[0-9]*' and length(${r}) <= 16 and substr(${r}, 10) not glob '*[^0-9]*'`;
  return `substr(${r}, 1, 2) < '24' and (${isWhole2} or ${isFraction})`;
}

// lib/providers/sql/dialects/whole-numbers.ts
var wholeTypes = /* @__PURE__ */ new Set([
  "Edm.Byte",
  "Edm.SByte",
  "Edm.Int16",
  "Edm.Int32",
  "Edm.Int64"
]);
function isWhole(type) {
  return type !== null && wholeTypes.has(type);
}
function bitLength(value) {
  return (value < 0n ? -value - 1n : value).toString(2).length;
}
function bitsOfResult(operator, left, right) {
  if (left.bits === void 0 || right.bits === void 0) return void 0;
  switch (operator) {
    case "add":
    case "sub":
      return Math.max(left.bits, right.bits) + 1;
    case "mul":
      return left.bits + right.bits + 1;
    case "div":
      return left.bits + 1;
    case "mod":
      return left.bits;
  }
}

// lib/providers/sql/dialects/text-functions.ts
var whiteSpace3 = [
  "	\n\v\f\r \x85\xA0\u1680",
  "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A",
  "\u2028\u2029\u202F\u205F\u3000"
].join("");
function concatenated(texts) {
  const pieces = texts.map(({ sql: text3 }) => text3);
  return sql`(${joined3(pieces, " || ")})`;
}
function isNotLonger(replacement, found) {
  const after = replacement.literal?.value;
  const before = found.literal?.value;
  return typeof after === "string" && typeof before === "string" && after.length <= before.length;
}
function withinPrefix({ sql: text3, column: column2 }, { sql: start, literal: literal2 }, starts, bound) {
  const behind = typeof literal2?.value === "string" ? behindPrefix(literal2.value) : void 0;
  if (column2?.facts.ordinal !== true || behind === void 0) return starts;
  return sql`(${text3} >= ${start} and ${text3} < ${bound(behind)} and ${starts})`;
}
function behindPrefix(prefix3) {
  const points = [...prefix3].map((one) => one.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== void 0; last = points.pop()) {
    if (last === largestPoint) continue;
    const next = last === 55295 ? 57344 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return void 0;
}
var largestPoint = 1114111;

// lib/providers/sql/dialects/sqlite.ts
var places2 = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
  minute: [15, 2],
  second: [18, 2]
};
var sqliteWrites = {
  begin: () => Promise.resolve([sql`begin immediate`]),
  failureEndsTransaction: false,
  returnsBeforeTriggers: true,
  lockToChange: "",
  lockToRemove: "",
  lockToKeep: "",
  insertUnlessTaken: ["insert or ignore into", ""],
  ignoresFaults: false,
  defaultRow: " default values",
  media: {
    // For every part the database itself reads all bytes: there should be few parts.
    chunkSize: 4 * 1024 * 1024,
    size: (content) => sql`length(${content})`,
    part: (content, from, count) => sql`substr(${content}, ${raw(String(from + 1))}, ${raw(String(count))})`,
    digest: void 0,
    rowVersion: void 0
  },
  // A disk that is full, or that fails, ends a transaction.
  isTakenBack: (error) => messageOf(error)?.includes("no transaction is active") ?? false,
  fault(error) {
    const { code } = error;
    const message = messageOf(error);
    return typeof code === "string" && message !== void 0 ? faultOf(code, message) : void 0;
  }
};
var kinds = {
  SQLITE_CONSTRAINT_UNIQUE: "unique",
  SQLITE_CONSTRAINT_PRIMARYKEY: "unique",
  SQLITE_CONSTRAINT_ROWID: "unique",
  SQLITE_CONSTRAINT_FOREIGNKEY: "foreignKey",
  SQLITE_CONSTRAINT_NOTNULL: "notNull",
  SQLITE_CONSTRAINT_CHECK: "check",
  SQLITE_CONSTRAINT_TRIGGER: "check",
  SQLITE_CONSTRAINT_DATATYPE: "value",
  SQLITE_MISMATCH: "value",
  SQLITE_TOOBIG: "value"
};
var exactDigits = 15;
var largest = 2n ** 63n;
var sqlite = {
  name: "sqlite",
  returns: true,
  hasOneConnection: true,
  writes: sqliteWrites,
  maximumParameters: 32e3,
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  placeholder: () => "?",
  selected(column2, reference) {
    const { type } = column2;
    if (type === "Edm.String" && hasNumbers(column2)) return sql`cast(${reference} as text)`;
    if (type === "Edm.Int64") return sql`cast(${reference} as text)`;
    if (type === "Edm.Decimal") {
      return sql`case typeof(${reference}) when 'integer' then cast(${reference} as text) else ${reference} end`;
    }
    return reference;
  },
  reader({ type }) {
    switch (type) {
      case "Edm.Boolean":
        return (value) => booleans.get(value) ?? value;
      case "Edm.Byte":
      case "Edm.SByte":
      case "Edm.Int16":
      case "Edm.Int32":
        return (value) => typeof value === "bigint" ? Number(value) : value;
      default:
        return void 0;
    }
  },
  plainText({ type }) {
    switch (type) {
      case "Edm.Boolean":
        return (cell) => cell === 1 ? "true" : cell === 0 ? "false" : void 0;
      case "Edm.Int64":
        return (cell) => textIn(canonicalInteger, cell);
      case "Edm.Guid":
        return (cell) => textIn(canonicalGuid, cell);
      default:
        return void 0;
    }
  },
  stored(column2, value) {
    return parameter(storedValue(column2, value));
  },
  misfit: (_column, value) => Number.isNaN(value) ? "the database cannot hold NaN" : void 0,
  equal({ type, facts }, left, right) {
    if (isTextDate(type)) return isSameDate(left, right, type);
    if (type === "Edm.Guid") return sql`${left} in (lower(${right}), upper(${right}))`;
    const isSame = sql`${left} = ${right}`;
    return facts.ordinal ? isSame : sql`(${isSame} and ${left} = ${right} collate binary)`;
  },
  comparable(value, type) {
    if (value.literal !== void 0)
      return value.literal.exact && value.type === type ? value.sql : promoted(value, type);
    if (type === "Edm.Single" || value.type === "Edm.Single") return void 0;
    if (value.type !== type) return promoted(value, type);
    return comparableForm(value, type);
  },
  literal(value, type) {
    const literal2 = (bound, exact = true) => ({
      sql: parameter(bound),
      type,
      nullable: false,
      literal: { value, exact }
    });
    if (isTextDate(type)) return literal2(paddedDate(value, type));
    switch (type) {
      case "Edm.Single":
        return literal2(value, false);
      case "Edm.Double":
        return Number.isNaN(value) ? void 0 : literal2(value);
      case "Edm.Boolean":
        return literal2(value === true ? 1 : 0);
      case "Edm.Decimal":
        return decimalLiteral(String(value), literal2);
      case "Edm.Binary":
      case "Edm.String":
        return literal2(value);
      case "Edm.Guid":
        return literal2(value.toLowerCase());
      default: {
        const whole = BigInt(value);
        if (whole >= largest || whole < -largest) return void 0;
        return { ...literal2(whole), bits: bitLength(whole) };
      }
    }
  },
  isValidValue,
  hasSeveralForms: ({ type }) => isTextDate(type) || type === "Edm.Guid",
  columnComparison(operator, { sql: reference, type: columnType, column: column2 }, value, type) {
    if (columnType !== type) return void 0;
    if (isTextDate(type)) return columnDateComparison(operator, reference, value, type);
    return column2?.hasUpperCaseGuids === true && operator === "eq" ? sqlite.equal(column2, reference, parameter(value)) : void 0;
  },
  isSame: (left, right) => sql`(${left} is ${right})`,
  call: (name, parameters) => callSqliteFunction(name, parameters),
  arithmetic(operator, left, right, type) {
    const bits = bitsOfResult(operator, left, right);
    if (bits === void 0 || bits > 63 || !isWhole(type)) return void 0;
    const divides = operator === "div" || operator === "mod";
    const other = divides ? sql`nullif(${right.sql}, 0)` : right.sql;
    return {
      sql: sql`(${left.sql} ${raw(symbols[operator])} ${other})`,
      type,
      nullable: left.nullable || right.nullable || divides,
      bits
    };
  },
  orderKeys({ type, sql: value, nullable }) {
    if (type !== "Edm.Double") return void 0;
    const literal2 = (at2) => Number.isNaN(at2) ? raw("-9e999") : parameter(at2);
    return [{ sql: value, nullable, literal: literal2 }];
  },
  orderTerm: (comparable, _nullable, descending) => descending ? sql`${comparable} desc` : comparable,
  page: (limit, offset) => limitClause(limit, offset, "-1"),
  sourceRows(rows2, columns) {
    const names = columns.map((name, index) => `column${index + 2} as ${name}`).join(", ");
    const values = rows2.map((row, index) => sql`(${joined3([raw(String(index)), ...row], ", ")})`);
    return sql`(select column1 as n, ${raw(names)} from (values ${joined3(values, ", ")})) as source`;
  }
};
var canonicalInteger = /^(?:0|-?[1-9]\d{0,17})$/;
var canonicalGuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
function textIn(pattern3, cell) {
  return typeof cell === "string" && pattern3.test(cell) ? cell : void 0;
}
var booleans = /* @__PURE__ */ new Map([
  [0, false],
  [0n, false],
  [1, true],
  [1n, true]
]);
var symbols = { add: "+", sub: "-", mul: "*", div: "/", mod: "%" };
function storedValue({ type, dateForm, hasUpperCaseGuids }, value) {
  if (value === null || value === void 0) return null;
  if (isTextDate(type)) return formattedDate(value, type, dateForm);
  switch (type) {
    case "Edm.Boolean":
      return value === true ? 1 : 0;
    case "Edm.Guid":
      return hasUpperCaseGuids === true ? value.toUpperCase() : value.toLowerCase();
    case "Edm.Decimal":
      return typeof value === "number" ? decimalFromNumber(value)?.toString() ?? null : value.toString();
    case "Edm.Byte":
    case "Edm.SByte":
    case "Edm.Int16":
    case "Edm.Int32":
    case "Edm.Int64":
      return BigInt(value);
    default:
      return value;
  }
}
function promoted(value, type) {
  if (value.type === "Edm.Single" || type === "Edm.Single" || value.literal?.exact === false) return void 0;
  if (isWhole(value.type)) return type === "Edm.Double" ? sql`cast(${value.sql} as real)` : value.sql;
  if (value.type === "Edm.Decimal" && type === "Edm.Double") {
    const form = value.literal === void 0 ? comparableForm(value, "Edm.Decimal") : value.sql;
    return form && sql`cast(${form} as real)`;
  }
  return void 0;
}
function comparableForm(value, type) {
  if (isTextDate(type)) return value.column === void 0 ? void 0 : padded(value.sql, type);
  if (type === "Edm.Decimal")
    return value.column !== void 0 && hasNumbers(value.column) ? value.sql : void 0;
  if (value.column?.hasUpperCaseGuids === true) return sql`lower(${value.sql})`;
  if (type === "Edm.String" && value.column !== void 0) {
    const text3 = hasNumbers(value.column) ? sql`cast(${value.sql} as text)` : value.sql;
    return value.column.facts.ordinal ? text3 : sql`(${text3} collate binary)`;
  }
  return value.sql;
}
function decimalLiteral(digits2, literal2) {
  const decimal = parseDecimal(digits2);
  if (decimal === void 0) return void 0;
  const { coefficient, scale } = decimal;
  if (scale === 0 && coefficient < largest && coefficient >= -largest) return literal2(coefficient);
  const significant = coefficient.toString().replace("-", "").replace(/0+$/, "").length;
  return literal2(Number(digits2), significant <= exactDigits);
}
function messageOf(error) {
  const { message } = error;
  return typeof message === "string" ? message : void 0;
}
function faultOf(code, message) {
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return { kind: "again", columns: [] };
  const kind = kinds[code];
  if (kind === void 0) return void 0;
  const [, about = ""] = /constraint failed: (.*)$/s.exec(message) ?? [];
  const columns = kind === "check" ? [about] : about.split(", ").map((one) => one.replace(/^.*\./, ""));
  return { kind, columns: columns.filter((one) => one !== "") };
}
function callSqliteFunction(name, parameters) {
  const [a, b, c] = parameters;
  if (a === void 0) return void 0;
  const nullable = parameters.some((one) => one.nullable);
  const condition = (text3) => ({ sql: text3, type: "Edm.Boolean", nullable });
  const string = (text3) => ({ sql: text3, type: "Edm.String", nullable });
  switch (name) {
    case "substringof":
      return b && condition(sql`(instr(${b.sql}, ${a.sql}) > 0)`);
    case "startswith":
      return b && condition(startsWith(a, b));
    case "endswith":
      return b && condition(sql`(${endOf(a, b)} = ${b.sql})`);
    case "concat":
      return string(concatenated(parameters));
    case "trim":
      return string(sql`trim(${a.sql}, ${parameter(whiteSpace3)})`);
    case "replace":
      return b !== void 0 && c !== void 0 && isNotLonger(c, b) ? string(sql`replace(${a.sql}, ${b.sql}, ${c.sql})`) : void 0;
    case "year":
    case "month":
    case "day":
    case "hour":
    case "minute":
    case "second":
      return field(name, a);
    default:
      return void 0;
  }
}
function startsWith(text3, start) {
  const starts = sql`(substr(${text3.sql}, 1, length(${start.sql})) = ${start.sql})`;
  return withinPrefix(text3, start, starts, parameter);
}
function endOf(text3, end) {
  return sql`substr(${text3.sql}, length(${text3.sql}) - length(${end.sql}) + 1)`;
}
function field(name, value) {
  if (value.type !== "Edm.DateTime" && value.type !== "Edm.DateTimeOffset" && value.type !== "Edm.Time")
    return void 0;
  if (value.literal !== void 0) return void 0;
  const [start, length] = places2[name];
  const from = value.type === "Edm.Time" ? start - 11 : start;
  return {
    sql: sql`cast(substr(${value.sql}, ${raw(`${from}, ${length}`)}) as integer)`,
    type: "Edm.Int32",
    nullable: value.nullable,
    bits: 14
  };
}

// ../../tmp/mb/entry.ts
var model2 = shopModel({ defineModel, edm });
var set = model2.defaultContainer.entitySet("Products");
var projection = wholeProjection(set);
var pgTypes = { ID: "int4", Name: "text", Description: "text", Price: "numeric", Stock: "int8", CategoryID: "int2", Weight: "float8", Active: "bool", Released: "timestamp", Code: "uuid" };
var slTypes = { ID: "integer", Name: "text", Description: "text", Price: "numeric", Stock: "integer", CategoryID: "integer", Weight: "real", Active: "integer", Released: "text", Code: "text" };
var column = (p, types) => ({ name: p.name, quoted: p.name, path: [p.name], property: p, type: p.type, nullable: p.nullable, facts: { dataType: types[p.name], typeArguments: [], isRowId: p.name === "ID" } });
var full = (c, d) => ({ path: c.path, decode: d.decode, plainText: d.plainText, milliseconds: d.milliseconds });
var props = set.entityType.properties;
var pgLayout = new RowLayout(props.map((p) => {
  const c = column(p, pgTypes);
  return full(c, textColumn(c));
}), dataRowCells);
var slLayout = new RowLayout(props.map((p) => {
  const c = column(p, slTypes);
  return full(c, { decode: sqlite.reader(c), plainText: sqlite.plainText?.(c) });
}));
var rows = Array.from({ length: 1e3 }, (_, i) => product(i + 1));
var pgText = (name, v) => name === "Active" ? v ? "t" : "f" : name === "Released" ? v.replace("T", " ").replace(/\.?0+$/, "") : name === "Price" ? v.toFixed(2) : String(v);
var bytes = [];
var positions = [];
var at = 0;
for (const row of rows) {
  const parts = [Buffer.from([0, props.length])];
  for (const p of props) {
    const t = Buffer.from(pgText(p.name, row[p.name]));
    const l = Buffer.alloc(4);
    l.writeInt32BE(t.length);
    parts.push(l, t);
  }
  const b = Buffer.concat(parts);
  positions.push(at);
  at += b.length;
  bytes.push(b);
}
var all = Buffer.concat(bytes);
var chunks = [];
var chunkOf = [];
var posIn = [];
{
  let cur = [];
  let n = 0;
  for (const b of bytes) {
    if (n + b.length > 65536) {
      chunks.push(Buffer.concat(cur));
      cur = [];
      n = 0;
    }
    chunkOf.push(chunks.length);
    posIn.push(n);
    cur.push(b);
    n += b.length;
  }
  chunks.push(Buffer.concat(cur));
}
var pgRows = () => {
  const texts = chunks.map((c) => c.latin1Slice());
  return posIn.map((p, i) => pgLayout.row(texts[chunkOf[i]], p));
};
var slCells = rows.map((r) => props.map((p) => r[p.name]));
var objects = rows.map((r) => ({ ...r, Active: r.Active === 1 }));
var context = { root: "http://localhost:4000/shop/", version: "2.0", updated: "2024-01-01T00:00:00Z", doubleAsNumber: false, media: () => void 0 };
var sink = 0;
function run(format2, makeRows) {
  const writer = format2.feed(projection);
  const batch = { rows: makeRows(), expansions: [] };
  let text3 = "";
  for (let i = 0; i < 1e3; i++) {
    text3 += writer.entry(batch, i, i === 0, context);
    if (text3.length > 6e4) {
      sink += Buffer.from(text3).length;
      text3 = "";
    }
  }
  sink += Buffer.from(text3).length;
}
var cases = {
  "pg json": () => run(jsonFormat, pgRows),
  "pg atom": () => run(atomFormat, pgRows),
  "sqlite json": () => run(jsonFormat, () => slCells.map((c) => slLayout.row(c, 0))),
  "sqlite atom": () => run(atomFormat, () => slCells.map((c) => slLayout.row(c, 0))),
  "memory json": () => run(jsonFormat, () => objects),
  "memory atom": () => run(atomFormat, () => objects),
  "pg rows": () => {
    for (const r of pgRows()) sink += pgLayout.cells(r).length;
  },
  "bare stringify": () => {
    sink += Buffer.from(JSON.stringify(objects)).length;
  }
};
var only = process.argv[2];
for (const [name, work] of Object.entries(cases)) {
  if (only && !name.includes(only)) continue;
  for (let i = 0; i < 300; i++) work();
}
var best = {};
for (let round = 0; round < 7; round++)
  for (const [name, work] of Object.entries(cases)) {
    if (only && !name.includes(only)) continue;
    const s = process.cpuUsage();
    for (let i = 0; i < 100; i++) work();
    const e = process.cpuUsage(s);
    best[name] = Math.min(best[name] ?? 1e9, (e.user + e.system) / 100);
  }
for (const [name, us] of Object.entries(best)) console.log(name.padEnd(16), Math.round(us), "us");
