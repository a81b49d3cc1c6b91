"""A published set in the words of Croissant 1.0, a vocabulary that search engines and loaders read."""

import json
from typing import Any

from situ.publishing.card import About
from situ.publishing.public_rows import columns

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "arrayShape": "cr:arrayShape",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_LEFT_OUT = "frames"  # pictures inside a table have no type in Croissant 1.0


def croissant(about: About, table: str) -> str:
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": about.name,
        "description": f"{about.title}: {about.questions} questions about {about.items} recordings.",
        "license": about.licence,
        "url": f"https://huggingface.co/datasets/{about.name}",
        "version": "1.0.0",
        "datePublished": "2026-01-01",
        "creator": {"@type": "sc:Organization", "name": "situ", "url": "https://huggingface.co"},
        "citeAs": f"{about.title}, made with situ",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "table",
                "name": "table",
                "contentUrl": table,
                "encodingFormat": "application/x-parquet",
                "sha256": about.sha256,
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "questions",
                "name": "questions",
                "key": {"@id": "questions/id"},
                "field": [_field(name) for name in columns(about.keys) if name != _LEFT_OUT],
            }
        ],
    }
    return json.dumps(described, indent=1) + "\n"


def _field(name: str) -> dict[str, Any]:
    kind = "sc:Float" if name == "time" else "sc:Text"
    several = {"isArray": True, "arrayShape": "-1"} if name == "options" else {}
    return {
        "@type": "cr:Field",
        "@id": f"questions/{name}",
        "name": name,
        "dataType": kind,
        "source": {"fileObject": {"@id": "table"}, "extract": {"column": name}},
        **several,
    }
