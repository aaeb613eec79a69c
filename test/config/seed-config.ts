// The text of agent_config.yaml from section 1.4 of the design document: it must load unchanged.

export const SEED_CONFIG = `# agent_config.yaml - Agent Runtime Configuration

# === Path Configuration ===
paths:
  search_root: "/project/design"              # Log file search root directory
  item_specs_dir: "./item_specs"              # ItemSpec files directory
  cache_dir: "./cache"                        # Cache storage directory
  output_dir: "./output"                      # Generated code output directory

# === LLM Model Configuration ===
llm:
  # Agent A (Parsing Expert) Model Configuration
  agent_a:
    provider: "openai"                        # openai | anthropic | azure
    model: "gpt-4-turbo"                      # Model name
    temperature: 0.2                          # Low temperature ensures code stability
    max_tokens: 4096
  
  # Agent B (Logic Expert) Model Configuration
  agent_b:
    provider: "openai"
    model: "gpt-4-turbo"
    temperature: 0.1                          # Lower temperature, logic code needs determinism
    max_tokens: 4096
  
  # Reflect Node Model Configuration (can use faster model)
  reflect:
    provider: "openai"
    model: "gpt-4-turbo"                      # Or "gpt-3.5-turbo" for faster iteration
    temperature: 0.1
    max_tokens: 2048

# === Cache Configuration ===
cache:
  retention_policy: "hourly"                  # Save checkpoints hourly
  max_checkpoints_per_hour: 10                # Max checkpoints to keep per hour
  cleanup_on_success: false                   # Whether to clean up historical checkpoints on success
  
# === Execution Control ===
execution:
  max_iterations: 3                           # Max retry count
  timeout_per_stage: 300                      # Timeout per stage (seconds)
  enable_streaming: true                      # Whether to enable streaming output

# === Logging Configuration ===
logging:
  level: "INFO"                               # DEBUG | INFO | WARNING | ERROR
  log_file: "./logs/agent.log"
  log_llm_calls: true                         # Whether to log LLM call details

# === Tool Call Constraints ===
tool_constraints:
  max_read_lines_per_call: 200                # Max lines per single read
  max_total_read_bytes: 102400                # Total read bytes per session (100KB)
  require_discovery_before_read: true         # Must discover before read
  header_lines_default: 100                   # Default header lines to read
`;
